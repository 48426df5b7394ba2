import { byteAt } from "../../../wire/bytes.ts";
import {
  ESCAPED,
  type Glyph,
  ifCertain,
  numberAt,
  PATHS,
  type PathCommand,
  type Stem,
  STEMS,
  type Step,
  Uncertain,
} from "./glyph.ts";
import { standardName } from "./standard-strings.ts";
import type { Type1Font } from "./type1.ts";

/** How many commands may still be run: a short program can call for very many. */
export interface CommandAllowance {
  left: number;
}

/** Subroutines call others ten deep (Adobe Type 1 Font Format, 6.4), and 24 numbers wait at once. */
const [MOST_DEPTH, MOST_NUMBERS] = [10, 24];

/** Reads what a glyph of a Type 1 font draws; undefined where that cannot be told with certainty. */
export function readGlyph(font: Type1Font, name: string, allowance: CommandAllowance): Glyph | undefined {
  const reader = new GlyphReader(font, allowance);
  return ifCertain(() => {
    reader.drawGlyph(name, [0, 0]);
    return { width: reader.width, steps: reader.steps };
  });
}

/** Runs the commands of a charstring (chapter 6.4). */
class GlyphReader {
  readonly steps: Step[] = [];
  width = 0;
  readonly #font: Type1Font;
  readonly #allowance: CommandAllowance;
  #stack: number[] = [];
  /** Of the PostScript interpreter, from which `pop` takes. */
  #passed: number[] = [];
  /** Where the drawing is, where its steps have led, and where the glyph began. */
  #point = { x: 0, y: 0 };
  #pen = { x: 0, y: 0 };
  #origin = { x: 0, y: 0 };
  #offset: readonly [number, number] = [0, 0];
  #isOpen = false;
  #stems: Stem[] = [];
  #areStemsNew = false;
  /** The vectors of a flex that is being described. */
  #flex: number[] | undefined;
  #isEnded = false;
  #isAccented = false;

  constructor(font: Type1Font, allowance: CommandAllowance) {
    this.#font = font;
    this.#allowance = allowance;
  }

  drawGlyph(name: string, offset: readonly [number, number]): void {
    const program = this.#font.charStrings.get(name);
    if (!program) throw new Uncertain();
    this.#offset = offset;
    [this.#stack, this.#passed, this.#isOpen, this.#isEnded] = [[], [], false, false];
    this.#startHints();
    this.#run(program, 0);
    if (!this.#isEnded) throw new Uncertain();
  }

  #run(program: Uint8Array, depth: number): void {
    if (depth > MOST_DEPTH) throw new Uncertain();
    for (let at = 0; at < program.length && !this.#isEnded;) {
      const byte = byteAt(program, at);
      if (byte >= 32) {
        const { value, length } = numberAt(program, at);
        if (this.#stack.push(value) > MOST_NUMBERS) throw new Uncertain();
        at += length;
        continue;
      }
      if (this.#allowance.left-- <= 0) throw new Uncertain();
      const isEscaped = byte === 12;
      const command = isEscaped ? 32 + byteAt(program, at + 1) : byte;
      at += isEscaped ? 2 : 1;
      if (command === 11) return;
      if (command === 10) this.#call(depth);
      else this.#carryOut(command);
    }
  }

  #call(depth: number): void {
    const program = this.#font.subrs.get(this.#pop());
    if (!program) throw new Uncertain();
    this.#run(program, depth + 1);
  }

  #carryOut(command: number): void {
    switch (command) {
      case ESCAPED + 12:
        return this.#divide();
      case ESCAPED + 16:
        return this.#callOther();
      case ESCAPED + 17:
        return void this.#stack.push(this.#passed.pop() ?? 0);
      case ESCAPED + 6:
        return this.#accented();
      default:
        this.#clearing(command, this.#stack.splice(0));
    }
  }

  /** Commands that take all of the stack. */
  #clearing(command: number, given: readonly number[]): void {
    const path = PATHS.get(command);
    if (path) return this.#follow(path, given);
    const isVertical = STEMS.get(command);
    if (isVertical !== undefined) return this.#addStems(isVertical, given);
    const [a = 0, b = 0, c = 0] = given;
    switch (command) {
      case 13:
        return this.#begin([a, 0], b);
      case ESCAPED + 7:
        return this.#begin([a, b], c);
      case 9:
        this.#isOpen = false;
        return;
      case 14:
        this.#isEnded = true;
        return;
      // Dots are hinted like everything else, and a flex knows where it ends.
      case ESCAPED:
      case ESCAPED + 33:
        return;
      default:
        throw new Uncertain();
    }
  }

  #follow({ kind, places }: PathCommand, given: readonly number[]): void {
    const by = places.map((place) => given[place] ?? 0);
    if (kind === "move") this.#move(by[0] ?? 0, by[1] ?? 0);
    else this.#draw(kind, by);
  }

  #pop(): number {
    const value = this.#stack.pop();
    if (value === undefined) throw new Uncertain();
    return value;
  }

  #divide(): void {
    const divisor = this.#pop();
    this.#stack.push(this.#pop() / divisor);
  }

  #begin([x, y]: readonly [number, number], width: number): void {
    const [dx, dy] = this.#offset;
    this.#origin = { x: x + dx, y: y + dy };
    this.#point = { ...this.#origin };
    if (this.steps.length === 0) this.width = width;
  }

  #addStems(isVertical: boolean, pairs: readonly number[]): void {
    const from = isVertical ? this.#origin.x : this.#origin.y;
    for (let i = 0; i + 1 < pairs.length; i += 2)
      this.#stems.push({ isVertical, at: from + (pairs[i] ?? 0), width: pairs[i + 1] ?? 0 });
    this.#areStemsNew = true;
  }

  #startHints(): void {
    this.#areStemsNew ||= this.#stems.length > 0;
    this.#stems = [];
  }

  #move(dx: number, dy: number): void {
    if (this.#flex) this.#flex.push(dx, dy);
    else this.#isOpen = false;
    this.#point.x += dx;
    this.#point.y += dy;
  }

  #draw(kind: "line" | "curve" | "flex", by: readonly number[], depth = 0): void {
    if (this.#flex || !by.every(Number.isFinite)) throw new Uncertain();
    if (this.#areStemsNew) this.steps.push({ kind: "hints", stems: [...this.#stems] });
    this.#areStemsNew = false;
    if (!this.#isOpen) this.steps.push({ kind: "move", by: this.#step(0, 0) });
    this.#isOpen = true;
    const steps: number[] = [];
    for (let i = 0; i < by.length; i += 2) steps.push(...this.#step(by[i] ?? 0, by[i + 1] ?? 0));
    const [dx = 0, dy = 0] = steps;
    if (kind === "line") this.steps.push({ kind, by: [dx, dy] });
    else this.steps.push(kind === "flex" ? { kind, by: steps, depth } : { kind, by: steps });
  }

  /** Moves on by a step that a charstring of CFF can write; later steps make up for its rounding. */
  #step(dx: number, dy: number): [dx: number, dy: number] {
    this.#point.x += dx;
    this.#point.y += dy;
    const [x, y] = [rounded(this.#point.x - this.#pen.x), rounded(this.#point.y - this.#pen.y)];
    this.#pen.x += x;
    this.#pen.y += y;
    return [x, y];
  }

  /** Section 8.3 and 8.4: flexes and other hints are asked of PostScript. */
  #callOther(): void {
    const other = this.#pop();
    const count = this.#pop();
    const given = count > 0 ? this.#stack.splice(-count) : [];
    if (given.length !== count) throw new Uncertain();
    if (other === 0) this.#endFlex(given);
    else if (other === 1) this.#flex = [];
    else if (other === 3) this.#startHints();
    else if (other !== 2 && other !== 12 && other !== 13) throw new Uncertain();
    this.#passed = given.toReversed();
  }

  #endFlex([depth = 0]: readonly number[]): void {
    const [ax = 0, ay = 0, bx = 0, by = 0, ...rest] = this.#flex ?? [];
    if (rest.length !== FLEX_REST) throw new Uncertain();
    this.#flex = undefined;
    const all = [ax, ay, bx, by, ...rest];
    for (let i = 0; i < all.length; i += 2) {
      this.#point.x -= all[i] ?? 0;
      this.#point.y -= all[i + 1] ?? 0;
    }
    // The first point is one to measure from.
    this.#draw("flex", [ax + bx, ay + by, ...rest], depth);
  }

  /** Section 6.4, seac: one glyph over another, both of the standard encoding. */
  #accented(): void {
    const [bearing = 0, x = 0, y = 0, base = 0, accent = 0] = this.#stack.splice(0);
    const [under, over] = [standardName(base), standardName(accent)];
    if (under === undefined || over === undefined || this.#isAccented || this.steps.length > 0)
      throw new Uncertain();
    this.#isAccented = true;
    const { width } = this;
    const origin = this.#origin;
    this.drawGlyph(under, [0, 0]);
    this.drawGlyph(over, [origin.x - bearing + x, origin.y + y]);
    this.width = width;
  }
}

/** Five vectors after the first two. */
const FLEX_REST = 10;
/** Numbers of CFF are multiples of 1/65,536. */
const PARTS = 65_536;

function rounded(value: number): number {
  return Math.round(value * PARTS) / PARTS;
}
