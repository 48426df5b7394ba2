/**
 * A value that is JSON in UTF-8 already: a worker wrote it, and it goes out as it is. In a tree it stands for
 * that value; where the tree is written as JSON it leaves a mark, which no caller can guess.
 */
export class JsonText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mark = crypto.randomUUID();

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }
}

/** How deep a text may stand: a streamed batch wraps each record in lists and records. */
const MAX_DEPTH = 6;

/** A tree with marks in the place of texts; what holds none is returned as it is. */
export function withMarks(value: unknown, depth = 0): unknown {
  if (value instanceof JsonText) return value.mark;
  if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return value;
  // Bytes have millions of entries.
  if (ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withMarks(item, depth + 1));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const marked = Object.entries(value).map(([key, item]) => [key, withMarks(item, depth + 1)] as const);
  const isChanged = marked.some(([key, item]) => item !== (value as Record<string, unknown>)[key]);
  return isChanged ? Object.fromEntries(marked) : value;
}
