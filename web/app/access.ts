const NEED = matchMedia("(forced-colors: active), (pointer: coarse)");

/** Loads the styles for fingers and for colours that the reader chooses, where there is a need, also one that comes. */
export async function startAccess(): Promise<void> {
  NEED.addEventListener("change", () => void load());
  await load();
}

async function load(): Promise<void> {
  // Without them everything works, in small.
  if (NEED.matches) await import("../style/access.css").catch(() => undefined);
}
