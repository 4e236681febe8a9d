// The query lives in the address: what is asked, of which space, how, and which view is open.

const USUAL = { q: "", space: "", k: "10", postprocess: "", weights: "", exact: "", everywhere: "", view: "" };

/** What the address says; what is left out is usual.
 *
 * Everything is text, but for `with`: the words beside those of the query, each a parameter of its own.
 */
export function read(search = location.search) {
  const given = new URLSearchParams(search);
  const found = Object.fromEntries(Object.entries(USUAL).map(([key, usual]) => [key, given.get(key) ?? usual]));
  return { ...found, with: given.getAll("with").filter((word) => word) };
}

/** The address of a state, without what is usual. */
export function address(state) {
  const given = new URLSearchParams();
  for (const [key, usual] of Object.entries(USUAL)) {
    if (state[key] && state[key] !== usual) given.set(key, state[key]);
  }
  for (const word of state.with) given.append("with", word);
  const text = given.toString();
  return text ? `?${text}` : location.pathname;
}

export function show(state, { again = false } = {}) {
  const target = address(state);
  if (target === (location.search || location.pathname)) return;
  if (again) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
}
