// Light or dark: what the system says, until somebody chooses.

const KEPT = "andornot-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

function apply() {
  const chosen = localStorage.getItem(KEPT);
  document.documentElement.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
}

/** Follow the system and the button; `changed` is called after every change. */
export function startTheme(button, changed) {
  apply();
  dark.addEventListener("change", () => { apply(); changed(); });
  button.addEventListener("click", () => {
    localStorage.setItem(KEPT, document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    apply();
    changed();
  });
}
