const NEED = matchMedia("(forced-colors: active), (pointer: coarse)");

/** Loads the styles for touch and for forced colors where they are needed, now or later. */
export async function startAccess(): Promise<void> {
  NEED.addEventListener("change", () => void load());
  await load();
}

async function load(): Promise<void> {
  // Without them everything still works, only smaller.
  if (NEED.matches) await import("../style/access.css").catch(() => undefined);
}
