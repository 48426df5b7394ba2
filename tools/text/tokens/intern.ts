import { enlarge, intAt } from "../int-list.ts";
import { hashNormalized, isEqualNormalized, normalizedToken, type TextToken } from "./normalize.ts";
import type { Texts } from "../diff/ranges.ts";
import type { TokenRules } from "./tokens.ts";

/** Room for short texts, of which folders have thousands. */
const [FIRST_ENTRIES, FIRST_UNITS, ALL_UNITS] = [1 << 7, 1 << 8, 1 << 16];

/**
 * Gives equal tokens the same id, counted from zero. A hash table of our own over the two texts, because a
 * Map needs every token cut out as a string first, which takes twice the time at 25 MB.
 */
export class Interner {
  /** Which of the texts `idOf` reads. */
  side = 0;
  /** How many ids have been given out. */
  count = 0;
  readonly #texts: Texts;
  readonly #rules: TokenRules;
  readonly #isNormalizing: boolean;
  #idOfUnit = new Int32Array(FIRST_UNITS).fill(-1);
  // Unknown to the authors of texts, so that nobody can choose tokens that all fall into one slot.
  readonly #secret = crypto.getRandomValues(new Int32Array(2));
  /** Entry + 1 by hash, 0 for a free slot; open addressing, at most half full. */
  #slots = new Int32Array(FIRST_ENTRIES * 2);
  #used = 0;
  #hashes = new Int32Array(FIRST_ENTRIES);
  /** Where the token starts; for one that is compared by its key, -1 - the index in `#keys`. */
  #starts = new Int32Array(FIRST_ENTRIES);
  /** The token's length, doubled, plus the text it was first seen in. */
  #sizes = new Int32Array(FIRST_ENTRIES);
  #ids = new Int32Array(FIRST_ENTRIES);
  readonly #keys: string[] = [];

  constructor(texts: Texts, rules: TokenRules) {
    this.#texts = texts;
    this.#rules = rules;
    this.#isNormalizing = rules.ignoreCase || rules.ignoreWhitespace !== "none";
  }

  /** The id of the token `start` … `end` of the text `side`. */
  idOf(start: number, end: number): number {
    const text = this.#textOf(this.side);
    if (end - start > 1) {
      return this.#isNormalizing ? this.#idOfNormalized(start, end) : this.#idOfExact(start, end);
    }
    const unit = text.charCodeAt(start);
    if (unit >= this.#idOfUnit.length) this.#growUnits();
    const known = intAt(this.#idOfUnit, unit);
    if (known >= 0) return known;
    return (this.#idOfUnit[unit] = this.#isNormalizing ? this.#idOfNormalized(start, end) : this.count++);
  }

  #idOfExact(start: number, end: number): number {
    const text = this.#textOf(this.side);
    const hash = hashOf(text, { start, end, secret: this.#secret });
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let entry = intAt(this.#slots, slot); entry > 0; entry = intAt(this.#slots, slot)) {
      if (this.#hashes[entry - 1] === hash && this.#isEntry(entry - 1, { text, start, end })) {
        return intAt(this.#ids, entry - 1);
      }
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = this.#used + 1;
    return this.#addEntry(hash, { start, size: (end - start) * 2 + this.side });
  }

  /** The id of a token, which tokens that are equal once normalized share. */
  #idOfNormalized(start: number, end: number): number {
    const rules = this.#rules;
    const token = normalizedToken({ text: this.#textOf(this.side), start, end }, rules);
    const hash = hashNormalized(token, rules, this.#secret);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let entry = intAt(this.#slots, slot); entry > 0; entry = intAt(this.#slots, slot)) {
      const isSame =
        this.#hashes[entry - 1] === hash && isEqualNormalized(token, this.#tokenAt(entry - 1), rules);
      if (isSame) return intAt(this.#ids, entry - 1);
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = this.#used + 1;
    const size = (token.end - token.start) * 2;
    if (!token.isKey) return this.#addEntry(hash, { start, size: size + this.side });
    return this.#addEntry(hash, { start: -this.#keys.push(token.text), size });
  }

  #textOf(side: number): string {
    return side === 0 ? this.#texts.a : this.#texts.b;
  }

  #tokenAt(entry: number): TextToken {
    const [start, size] = [intAt(this.#starts, entry), intAt(this.#sizes, entry)];
    const isKey = start < 0;
    const text = isKey ? (this.#keys[-1 - start] ?? "") : this.#textOf(size & 1);
    const from = isKey ? 0 : start;
    return { text, start: from, end: from + (size >> 1), isKey };
  }

  #isEntry(entry: number, token: { text: string; start: number; end: number }): boolean {
    const size = intAt(this.#sizes, entry);
    if (size >> 1 !== token.end - token.start) return false;
    const other = this.#textOf(size & 1);
    return isSame(token, { text: other, start: intAt(this.#starts, entry) });
  }

  #addEntry(hash: number, { start, size }: { start: number; size: number }): number {
    if (this.#used === this.#hashes.length) this.#grow();
    const entry = this.#used++;
    this.#hashes[entry] = hash;
    this.#starts[entry] = start;
    this.#sizes[entry] = size;
    if ((this.#used + 1) * 2 > this.#slots.length) this.#rehash();
    return (this.#ids[entry] = this.count++);
  }

  #growUnits(): void {
    const all = new Int32Array(ALL_UNITS).fill(-1);
    all.set(this.#idOfUnit);
    this.#idOfUnit = all;
  }

  #grow(): void {
    this.#hashes = enlarge(this.#hashes);
    this.#starts = enlarge(this.#starts);
    this.#sizes = enlarge(this.#sizes);
    this.#ids = enlarge(this.#ids);
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.#used; entry++) {
      let slot = intAt(this.#hashes, entry) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
  }
}

/** Two units a step, multiplied by a secret odd number and folded, so that every bit reaches the low ones. */
function hashOf(text: string, of: { start: number; end: number; secret: Int32Array }): number {
  const factor = intAt(of.secret, 0) | 1;
  const last = of.end - 1;
  let hash = intAt(of.secret, 1) ^ (of.end - of.start);
  let at = of.start;
  for (; at < last; at += 2) {
    hash = Math.imul(hash ^ (text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)), factor);
    hash ^= hash >>> 15;
  }
  if (at === last) hash = Math.imul(hash ^ text.charCodeAt(at), factor);
  return hash ^ (hash >>> 16);
}

/** Whether the other text has the same token at `other.start`. */
export function isSame(
  token: { text: string; start: number; end: number },
  other: { text: string; start: number },
): boolean {
  const { text, start } = other;
  const shift = start - token.start;
  for (let at = token.start; at < token.end; at++) {
    if (token.text.charCodeAt(at) !== text.charCodeAt(at + shift)) return false;
  }
  return true;
}
