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

/** A record with marks in the place of texts; everything else is returned as it is. */
export function withMarks(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const texts = Object.entries(value).filter(([, item]) => item instanceof JsonText);
  if (texts.length === 0) return value;
  const marks = texts.map(([key, text]) => [key, (text as JsonText).mark] as const);
  return { ...value, ...Object.fromEntries(marks) };
}
