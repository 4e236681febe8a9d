// Light or dark: as the system is set, until the reader chooses.

const KEPT = "andornot-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

function apply() {
  const chosen = localStorage.getItem(KEPT);
  document.documentElement.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
}

/** Follow the system and the button. */
export function startTheme(button) {
  apply();
  dark.addEventListener("change", apply);
  button.addEventListener("click", () => {
    localStorage.setItem(KEPT, document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    apply();
  });
}
