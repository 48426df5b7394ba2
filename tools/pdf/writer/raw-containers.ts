/** Larger dictionaries are parsed: comparing each key with all earlier ones would take too long. */
const MAX_KEYS = 64;
const MAX_OPEN = 100;

/** The arrays and dictionaries that are open while an object is scanned. */
export interface RawContainers {
  depth: number;
  /** By depth: whether it is a dictionary, its number of keys and values so far, and hashes of its keys. */
  readonly isDict: boolean[];
  readonly counts: number[];
  readonly keys: number[][];
  /** Whether an integer stands where a key should, which only a following "R" can explain. */
  isPending: boolean;
}

export function createRawContainers(): RawContainers {
  return { depth: 0, isDict: [false], counts: [0], keys: [[]], isPending: false };
}

/**
 * Records a token; `hash` is that of a name. False if it is not allowed: programs differ in how they read a dictionary
 * with a key that is not a name, or with a repeated key.
 */
export function noteToken(
  open: RawContainers,
  kind: "name" | "integer" | "reference" | "other",
  hash = 0,
): boolean {
  const { depth } = open;
  if (!open.isDict[depth]) return true;
  if (open.isPending && kind !== "reference") return false;
  const count = open.counts[depth] ?? 0;
  if (kind === "reference") {
    // Its two integers have been counted.
    open.isPending = false;
    open.counts[depth] = count - 1;
    return count % 2 === 1;
  }
  open.counts[depth] = count + 1;
  if (count % 2 === 1) return true;
  if (kind === "integer") return (open.isPending = true);
  return kind === "name" && noteKey(open.keys[depth] ?? [], hash);
}

function noteKey(keys: number[], hash: number): boolean {
  if (keys.length >= MAX_KEYS || keys.includes(hash)) return false;
  keys.push(hash);
  return true;
}

export function openRawContainer(open: RawContainers, isDict: boolean): boolean {
  if (!noteToken(open, "other") || open.depth >= MAX_OPEN) return false;
  const depth = ++open.depth;
  open.isDict[depth] = isDict;
  open.counts[depth] = 0;
  const keys = open.keys[depth];
  if (keys) keys.length = 0;
  else open.keys[depth] = [];
  return true;
}

export function closeRawContainer(open: RawContainers, isDict: boolean): boolean {
  const { depth } = open;
  if (depth === 0 || open.isDict[depth] !== isDict) return false;
  if (isDict && (open.isPending || (open.counts[depth] ?? 0) % 2 === 1)) return false;
  open.depth--;
  return true;
}
