// Stands in the page itself and runs before its first paint, which shows what the build has drawn.
(() => {
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be switched off; then nothing was chosen.
      return null;
    }
  };
  const theme = read("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  // Drawn in another language than was chosen, or for another page (out of the cache), it is not shown.
  const { lang, dataset } = root;
  const isElsewhere = dataset.page && dataset.page !== location.pathname;
  if (isElsewhere || (read("language") ?? lang) !== lang) dataset.other = "";
  // What is pressed before the scripts are there is pressed again when they are (web/app/alive.ts).
  root.addEventListener("click", ({ target }) => (root.pressed = target.closest?.("button")));
  // A page whose scripts do not come, or fail before it is alive, says so. Links name icons and the typeface.
  const fail = ({ target }) => {
    if (!target.href && "page" in dataset) dataset.dead = "";
  };
  addEventListener("error", fail, true);
  addEventListener("unhandledrejection", fail);
})();
