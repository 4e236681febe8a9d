// The service: every request, its errors, and the token where one is wanted.

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

function askForToken() {
  asking ??= new Promise((resolve) => {
    const dialog = $("token-dialog");
    dialog.addEventListener("close", () => {
      asking = null;
      sessionStorage.setItem(KEPT, $("token").value);
      $("token").value = "";
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

async function request(path, options) {
  const token = sessionStorage.getItem(KEPT);
  const headers = { ...options.headers };
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure({ error: "the service is not there; start it again with andornot serve", kind: "gone" }, 0);
  }
  if (response.status === 401) {
    await askForToken();
    return request(path, options);
  }
  const facts = await response.json();
  if (!response.ok) throw new Failure(facts, response.status);
  return facts;
}

export const get = (path, parameters = {}, signal = undefined) =>
  request(`${path}?${new URLSearchParams(parameters)}`, { signal });

export const post = (path, body, signal = undefined) =>
  request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
