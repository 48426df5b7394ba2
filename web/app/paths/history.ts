/** The position of the shown page in the tab's history. Every entry keeps its own in history.state. */
let position = readPosition() ?? 0;

export function currentPosition(): number {
  return position;
}

export function setPosition(next: number): void {
  position = next;
}

/** Gives the entry that the document was loaded into its position. */
export function startHistory(): void {
  history.replaceState({ position }, "");
}

/** Adds an entry after the shown one. */
export function pushEntry(to: string): void {
  position += 1;
  history.pushState({ position }, "", to);
}

/** Gives the shown entry another address. */
export function replaceEntry(to: string): void {
  history.replaceState({ position }, "", to);
}

/** How many entries the browser has moved from the shown one. */
export function stepsMoved(): number {
  return (readPosition() ?? addPosition()) - position;
}

// A link to a fragment has made an entry of its own.
function addPosition(): number {
  history.replaceState({ position: position + 1 }, "");
  return position + 1;
}

function readPosition(): number | undefined {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("position" in state)) return undefined;
  return typeof state.position === "number" ? state.position : undefined;
}
