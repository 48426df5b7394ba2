import { byteAt } from "../../../wire/bytes.ts";
import type { CommandAllowance } from "./charstrings.ts";
import type { CffFont } from "./cff-read.ts";
import { numberAt, Uncertain } from "./glyph.ts";
import { standardName } from "./standard-strings.ts";
import { u16 } from "./truetype.ts";

/** The subroutines and glyphs that the charstrings of some glyphs use. */
interface UsedParts {
  readonly globalSubrs: Set<number>;
  /** For each of the font's hints, the subroutines that stand beside them. */
  readonly subrs: readonly Set<number>[];
  /** The glyphs themselves, and those that others are put together of. */
  readonly glyphs: Set<number>;
}

/** Subroutines call others ten deep, and 48 numbers wait at once (Adobe Technical Note 5177, appendix B). */
const [MOST_DEPTH, MOST_NUMBERS] = [10, 48];

/**
 * Follows the charstrings of glyphs.
 * @throws Uncertain for an invalid one, and for one that computes which subroutines it calls
 */
export function neededBy(font: CffFont, glyphs: Iterable<number>, allowance: CommandAllowance): UsedParts {
  const needed = { globalSubrs: new Set<number>(), subrs: font.hints.map(() => new Set<number>()) };
  const found = new Set<number>();
  const waiting = [0, ...glyphs];
  for (let glyph = waiting.pop(); glyph !== undefined; glyph = waiting.pop()) {
    if (found.has(glyph) || glyph >= font.charStrings.length) continue;
    found.add(glyph);
    waiting.push(...new CharString(font, { ...needed, glyph, allowance }).follow());
  }
  return { ...needed, glyphs: found };
}

interface GlyphNeeds extends Omit<UsedParts, "glyphs"> {
  readonly glyph: number;
  readonly allowance: CommandAllowance;
}

/** The commands of one charstring of Type 2, as far as they tell what it calls and how long its masks are. */
class CharString {
  readonly #font: CffFont;
  readonly #needs: GlyphNeeds;
  readonly #place: number;
  #stack: number[] = [];
  #stems = 0;
  #parts: readonly number[] | undefined;

  constructor(font: CffFont, needs: GlyphNeeds) {
    this.#font = font;
    this.#needs = needs;
    this.#place = font.select(needs.glyph);
  }

  /** The glyphs that it is put together of. */
  follow(): readonly number[] {
    this.#run(this.#font.charStrings[this.#needs.glyph] ?? new Uint8Array(), 0);
    if (!this.#parts) throw new Uncertain();
    return this.#parts;
  }

  #run(program: Uint8Array, depth: number): void {
    if (depth > MOST_DEPTH) throw new Uncertain();
    for (let at = 0; at < program.length && !this.#parts;) {
      const byte = byteAt(program, at);
      if (byte >= 32 || byte === 28) {
        at += this.#push(program, at);
        continue;
      }
      at++;
      if (this.#needs.allowance.left-- <= 0) throw new Uncertain();
      if (byte === 11) return;
      if (byte === 10 || byte === 29) this.#call(byte === 29, depth);
      else if (byte === 12) this.#clear(program[at++], TWO_BYTES);
      else {
        this.#carryOut(byte);
        if (byte === 19 || byte === 20) at += Math.ceil(this.#stems / 8);
      }
    }
  }

  #push(program: Uint8Array, at: number): number {
    const { value, length } = byteAt(program, at) === 28 ? shortAt(program, at + 1) : numberAt(program, at);
    if (at + length > program.length) throw new Uncertain();
    // Five bytes are a fraction here, which is the number of no subroutine.
    if (this.#stack.push(length === 5 ? NaN : value) > MOST_NUMBERS) throw new Uncertain();
    return length;
  }

  #call(isGlobal: boolean, depth: number): void {
    const { globalSubrs, subrs } = this.#needs;
    const programs = isGlobal ? this.#font.globalSubrs : (this.#font.hints[this.#place]?.subrs ?? []);
    const number = (this.#stack.pop() ?? NaN) + biasOf(programs.length);
    const program = programs[number];
    if (!program) throw new Uncertain();
    (isGlobal ? globalSubrs : subrs[this.#place])?.add(number);
    this.#run(program, depth + 1);
  }

  #carryOut(command: number): void {
    if (STEMS.has(command)) this.#stems += this.#stack.length >> 1;
    if (command === 14) this.#parts = this.#accented();
    this.#clear(command, ONE_BYTE);
  }

  /** Unknown commands compute something, or are invalid. */
  #clear(command: number | undefined, known: ReadonlySet<number>): void {
    if (command === undefined || !known.has(command)) throw new Uncertain();
    this.#stack = [];
  }

  /** A letter and its accent, by their codes in Adobe's standard encoding (appendix C). */
  #accented(): number[] {
    if (this.#stack.length < 4) return [];
    return this.#stack.slice(-2).map((code) => {
      const glyph = this.#font.named.get(standardName(code) ?? "");
      if (glyph === undefined) throw new Uncertain();
      return glyph;
    });
  }
}

/** What follows a 28 (5177, section 3.2); the length is that of both. */
function shortAt(program: Uint8Array, at: number): { value: number; length: number } {
  return { value: (u16(program, at) << 16) >> 16, length: 3 };
}

/** Commands that tell stems, masks among them; all that take the whole stack; and those after a 12, flexes and dots. */
const STEMS = new Set([1, 3, 18, 23, 19, 20]);
const ONE_BYTE = new Set([...STEMS, 4, 5, 6, 7, 8, 14, 21, 22, 24, 25, 26, 27, 30, 31]);
const TWO_BYTES = new Set([0, 34, 35, 36, 37]);

/** What is added to the number of a subroutine (5176, chapter 16). */
function biasOf(count: number): number {
  return count < FEW_SUBRS ? 107 : count < MANY_SUBRS ? 1131 : 32_768;
}

/** From these counts of subroutines on, their numbers have another bias. */
export const [FEW_SUBRS, MANY_SUBRS] = [1240, 33_900];
