// What can be taken away: the picture, the list, and the query as a command or as Python.

import { Failure, file } from "./api.js";
import { $, copy, element } from "./dom.js";

const OPTIONS = ["postprocess", "weights"];
const DEFAULT = "default"; // the name of the model that andornot.default() loads

const shell = (text) => (/^[\w./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replace(/'/g, "'\\''")}'`);

/** Return the command that asks the same. */
export function asCommand({ query, text, k, space, exact, everywhere, ...settings }) {
  const options = [];
  if (space !== DEFAULT) options.push("--space", shell(space));
  if (k !== 10) options.push("-k", String(k));
  for (const name of OPTIONS) if (settings[name]) options.push(`--${name}`, settings[name]);
  if (exact) options.push("--exact");
  if (everywhere) options.push("--everywhere");
  const said = text ?? query;
  if (said.startsWith("-")) options.push("--");
  return ["andornot", text === undefined ? "ask" : "describe", ...options, shell(said)].join(" ");
}

/** Return the Python that asks the same. */
export function asPython({ query, text, k, space, exact, everywhere, ...settings }) {
  const vectors = space === DEFAULT ? "andornot.default()" : `andornot.load(${JSON.stringify(space)})`;
  const making = [vectors, ...OPTIONS.filter((name) => settings[name]).map((name) => `${name}=${JSON.stringify(settings[name])}`), ...(exact ? ["exact=True"] : [])];
  const asking = [JSON.stringify(text ?? query), ...(k !== 10 ? [`k=${k}`] : []), ...(everywhere ? ["everywhere=True"] : [])];
  return [
    "import andornot", "",
    `logic = andornot.Logic(${making.join(", ")})`,
    `for word, score in logic.${text === undefined ? "ask" : "describe"}(${asking.join(", ")}):`,
    '    print(f"{score:.3f}  {word}")', "",
  ].join("\n");
}

/** Return a list as CSV: the rank, the word and the score. */
export function asCsv(hits) {
  const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  return ["rank,word,score", ...hits.map(({ word, score }, place) => `${place + 1},${cell(word)},${score}`), ""].join("\r\n");
}

function save(content, kind, name) {
  const url = URL.createObjectURL(new Blob([content], { type: kind }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const nameOf = ({ query, text }) => (text ?? query).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "answer";

/** Listen to the buttons; `current()` returns the last answer with its request, whose space is named. */
export function listen(current) {
  $("take-csv").addEventListener("click", () => {
    const { answer, request } = current();
    save(asCsv(answer.hits), "text/csv", `${nameOf(request)}.csv`);
  });
  $("take-svg").addEventListener("click", async () => {
    const { request, body } = current();
    try {
      save(await file("v1/picture", body), "image/svg+xml", `${nameOf(request)}.svg`);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      $("status").textContent = error.message;
    }
  });
  for (const [id, write] of [["take-command", asCommand], ["take-python", asPython]]) {
    $(id).addEventListener("click", () => {
      const { request } = current();
      copy(write(request), $(id));
      if (request.space !== DEFAULT) $("status").textContent = `copied; put the file of ${request.space} in the place of its name`;
    });
  }
}
