import type { Users } from "./users.ts";

/** Objects by the parts of a linearized file (ISO 32000-2, F.3), in the order they are written. */
export interface Parts {
  /** The catalog and what a reader needs to open the document. */
  readonly opening: number[];
  /** The first page, starting with its page object, and what it shares with others. */
  readonly firstPage: number[];
  /** For each other page: its page object, and the objects that only it needs. */
  readonly pages: number[][];
  /** Objects that several other pages need. */
  readonly shared: number[];
  readonly rest: number[];
  /** Objects of the outline, which belong to the first page or to the rest. */
  readonly outline: number[];
}

const OPENING = new Set([
  "Root/ViewerPreferences",
  "Root/PageMode",
  "Root/Threads",
  "Root/OpenAction",
  "Root/AcroForm",
]);
const OUTLINE = "Root/Outlines";

interface DocumentOrder {
  readonly users: Users;
  readonly root: number;
  readonly pages: readonly number[];
  /** Its first object; 0 if there is none. */
  readonly outline: number;
  /** Whether the outline is shown when the document is opened. */
  readonly showsOutline: boolean;
}

/** Sorts objects by what needs them. */
export function sortIntoParts({ users, root, pages, outline, showsOutline }: DocumentOrder): Parts {
  const parts: Parts = {
    opening: [root],
    firstPage: [],
    pages: pages.slice(1).map(() => []),
    shared: [],
    rest: [],
    outline: [],
  };
  const [privates, sharedFirst]: [number[], number[]] = [[], []];
  for (const num of new Set([...users.pages.keys(), ...users.entries.keys()])) {
    if (num === root) continue;
    const onPages = users.pages.get(num) ?? [];
    const entries = users.entries.get(num) ?? [];
    const others = onPages.filter((page) => page > 0);
    const [only = 0] = others;
    const isFirst = others.length < onPages.length;
    if (entries.includes(OUTLINE)) parts.outline.push(num);
    else if (entries.some((entry) => OPENING.has(entry))) parts.opening.push(num);
    else if (isFirst && entries.length === 0 && others.length === 0) privates.push(num);
    else if (isFirst) sharedFirst.push(num);
    else if (others.length === 1 && entries.length === 0) parts.pages[only - 1]?.push(num);
    else if (others.length > 1) parts.shared.push(num);
    else parts.rest.push(num);
  }
  const [first = 0, ...later] = pages;
  // Joined in new lists: as arguments of `push`, 200,000 numbers would overflow the stack.
  const firstPage = leading([...privates, ...sharedFirst], first);
  const ofOutline = leading(parts.outline, outline);
  return {
    ...parts,
    firstPage: showsOutline ? [...firstPage, ...ofOutline] : firstPage,
    pages: later.map((num, i) => leading(parts.pages[i] ?? [], num)),
    rest: showsOutline ? parts.rest : [...parts.rest, ...ofOutline],
    outline: ofOutline,
  };
}

/** The same numbers with this one first. */
function leading(nums: readonly number[], first: number): number[] {
  return [...(nums.includes(first) ? [first] : []), ...nums.filter((num) => num !== first)];
}
