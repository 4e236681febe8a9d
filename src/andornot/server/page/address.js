// The address holds the state: the query, the space, the settings and the open view.

const DEFAULTS = { q: "", mode: "", space: "", k: "10", postprocess: "", weights: "", exact: "", everywhere: "", view: "" };

/** Return the state that an address holds; what it leaves out has its default.
 *
 * Every value is a text, but for `with`: the words that are offered for a category, each a parameter of its own.
 */
export function read(search = location.search) {
  const given = new URLSearchParams(search);
  const found = Object.fromEntries(Object.entries(DEFAULTS).map(([key, usual]) => [key, given.get(key) ?? usual]));
  return { ...found, with: given.getAll("with").filter((word) => word) };
}

/** Return the address of a state, without its defaults. */
export function address(state) {
  const given = new URLSearchParams();
  for (const [key, usual] of Object.entries(DEFAULTS)) {
    if (state[key] && state[key] !== usual) given.set(key, state[key]);
  }
  for (const word of state.with) given.append("with", word);
  const text = given.toString();
  return text ? `?${text}` : location.pathname;
}

/** Show a state in the address bar; `again` replaces the entry of the history. */
export function show(state, { again = false } = {}) {
  const target = address(state);
  if (target === (location.search || location.pathname)) return;
  if (again) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
}
