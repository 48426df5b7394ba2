// Before the first paint, so that a chosen theme does not flash up in the other one. The module comes later.
(() => {
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be switched off; then the system's theme is the theme.
  }
})();
