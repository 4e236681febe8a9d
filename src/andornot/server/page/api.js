// The service: every request, its errors, and the token if it needs one.

import { $ } from "./dom.js";

const KEPT = "andornot-token"; // until the tab is closed

export class Failure extends Error {
  constructor(facts, status) {
    super(facts.error);
    this.facts = facts;
    this.status = status;
  }
}

let asking = null; // one dialog, however many requests were refused

/** Ask for a token; `wrong` says that one was refused. Leaving the dialog gives up. */
function askForToken(wrong) {
  asking ??= new Promise((resolve, reject) => {
    const dialog = $("token-dialog");
    $("token-problem").hidden = !wrong;
    dialog.returnValue = "";
    dialog.addEventListener("close", () => {
      asking = null;
      const given = $("token").value;
      $("token").value = "";
      if (dialog.returnValue !== "given") {
        reject(new Failure({ error: "no token was given; ask again to give one", kind: "token" }, 401));
        return;
      }
      sessionStorage.setItem(KEPT, given);
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

async function send(path, options) {
  const token = sessionStorage.getItem(KEPT);
  const headers = { ...options.headers };
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure({ error: "the service does not answer; start it again with andornot serve", kind: "gone" }, 0);
  }
  if (response.status === 401) {
    if (sessionStorage.getItem(KEPT) === token) { // else another request has asked for it meanwhile
      sessionStorage.removeItem(KEPT);
      await askForToken(token !== null);
    }
    return send(path, options);
  }
  if (!response.ok) throw new Failure(await response.json(), response.status);
  return response;
}

const posting = (body, signal) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  signal,
});

export const get = async (path, parameters = {}, signal = undefined) =>
  (await send(`${path}?${new URLSearchParams(parameters)}`, { signal })).json();

export const post = async (path, body, signal = undefined) => (await send(path, posting(body, signal))).json();

/** Return the file that a request is answered with, as text. */
export const file = async (path, body) => (await send(path, posting(body))).text();
