import { utf8 } from "../../../wire/bytes.ts";
import { forEachOperation } from "../content/operations.ts";
import { dictIn, type Pdf, resolve } from "../model/document.ts";
import { latin1 } from "../syntax/lexer.ts";
import { hexCode, stringBytes, textOf } from "../syntax/strings.ts";
import { type Dict, isString, makeDict, numberOf, type Stream } from "../syntax/values.ts";
import { type FieldBox, frame, type FieldLayout, realOf, written } from "./field-box.ts";
import {
  type FieldFont,
  fieldFont,
  standardFont,
  formOf,
  formValue,
  hasFlag,
  inheritedDict,
  inheritedValue,
} from "./field-font.ts";
import { layOutList, readListBox } from "./field-text.ts";

const [MULTILINE, COMBO, COMB] = [13, 18, 25];
/** Sizes that readers choose where /DA has none. */
const [LEAST_SIZE, MOST_SIZE] = [4, 12];
const LEADING = 1.15;
const MARGIN = 2;
/** Of the size: where the line stands on which a text is centred. */
const BASELINE = 0.22;

/**
 * Whether readers draw a field anew: where the form says so, or where the content of its appearance shows nothing of the
 * text; undefined stands for content that cannot be read, which stays.
 */
export function needsDrawing(pdf: Pdf, content: Uint8Array | undefined, hasText: boolean): boolean {
  if (resolve(pdf, formOf(pdf)?.get("NeedAppearances")) === true) return true;
  if (!content || !hasText) return false;
  let showsSomething = false;
  const isSound = forEachOperation(content, ({ operator }) => {
    if (SHOWING.includes(operator)) showsSomething = true;
  });
  return isSound && !showsSomething;
}

const SHOWING = ["Tj", "TJ", "'", '"', "Do", "BI", "sh"];

interface Style {
  readonly font: FieldFont;
  /** Undefined where the reader chooses it. */
  readonly size: number | undefined;
  /** What else the default appearance sets, such as the color. */
  readonly operators: string;
}

/**
 * The appearance that a reader makes of a field's value, in a box of this size (ISO 32000-2, 12.7.4.3); undefined where
 * the fonts that are there do not show it.
 */
export function drawField(pdf: Pdf, { text, ...drawing }: FieldBox & { text: string }): Stream | undefined {
  const { widget } = drawing;
  const turn = numberOf(resolve(pdf, inheritedDict(pdf, widget, "MK")?.get("R"))) ?? 0;
  const box =
    Math.abs(turn % 180) === 90 ? { widget, width: drawing.height, height: drawing.width } : drawing;
  const style = readStyle(pdf, widget);
  const list = readListBox(pdf, widget);
  const laidOut = style && (list ? layOutList(list, box, style) : layOut(pdf, { ...box, text, style }));
  if (!laidOut) return undefined;
  const { width, height } = box;
  const inHex = (code: number) => hexCode(code, style.font.codeBytes);
  const inner = [1, 1, width - MARGIN, height - MARGIN].map(written).join(" ");
  const lines = laidOut.lines.map(
    ({ codes, x, y }) => `1 0 0 1 ${written(x)} ${written(y)} Tm <${codes.map(inHex).join("")}> Tj\n`,
  );
  const content =
    `${frame(pdf, box)}/Tx BMC\nq ${inner} re W n\n${laidOut.bars ?? ""}BT\n${style.operators}/Field ${written(laidOut.size)} Tf\n` +
    `${lines.join("")}ET\nQ\nEMC\n`;
  const [cos, sin] = [
    Math.round(Math.cos((turn * Math.PI) / 180)),
    Math.round(Math.sin((turn * Math.PI) / 180)),
  ];
  const dict = makeDict({
    BBox: [0, 0, realOf(width), realOf(height)],
    Matrix: [cos, sin, -sin, cos, 0, 0],
    Resources: makeDict({ Font: makeDict({ Field: style.font.value }) }),
  });
  return { kind: "stream", dict, data: utf8(content) };
}

function readStyle(pdf: Pdf, widget: Dict): Style | undefined {
  const value = formValue(pdf, widget, "DA");
  // Without a default appearance readers show nothing.
  if (!isString(value)) return undefined;
  const content = stringBytes(value);
  let [name, size, operators] = ["", 0, ""];
  forEachOperation(content, ({ operator, from, to, names, numbers }) => {
    if (operator !== "Tf") operators += `${latin1(content, { from, to })}\n`;
    else [name, size] = [names[0] ?? "", numbers[0] ?? 0];
  });
  const resources = [inheritedDict(pdf, widget, "DR"), dictIn(pdf, formOf(pdf), "DR")];
  const named = resources
    .map((dict) => dictIn(pdf, dict, "Font")?.get(name))
    .find((each) => each !== undefined);
  const font = named === undefined ? standardFont() : fieldFont(pdf, named);
  return font && { font, size: size > 0 ? size : undefined, operators };
}

/** The lines of a text, where they stand, and how large they are; undefined where the font lacks a character. */
function layOut(
  pdf: Pdf,
  { widget, width, height, text, style }: FieldBox & { text: string; style: Style },
): FieldLayout | undefined {
  const { font } = style;
  const isOf = (position: number) => hasFlag(pdf, widget, position);
  const type = inheritedValue(pdf, widget, "FT");
  const isText = type === "Tx";
  const isBlock = isText ? isOf(MULTILINE) : type === "Ch" && !isOf(COMBO);
  const rows = (isBlock ? text : text.replaceAll("\n", " "))
    .split("\n")
    .map((row) => font.encode(row.replaceAll("\t", " ")));
  const known = rows.filter((row) => row !== undefined);
  if (known.length < rows.length) return undefined;
  // Captions of buttons stand in the middle.
  const align = type === "Btn" ? 1 : (numberOf(formValue(pdf, widget, "Q")) ?? 0);
  const room = width - 2 * MARGIN;
  const place = (codes: readonly number[], size: number) =>
    MARGIN + ((room - lengthOf(codes, font) * size) * (align === 1 ? 1 : align === 2 ? 2 : 0)) / 2;
  if (isBlock) {
    const { wrapped, size } = wrapInto(known, { ...style, room, height });
    const lines = wrapped.map((codes, i) => ({
      codes,
      x: place(codes, size),
      y: height - MARGIN - size * (1 + i * LEADING),
    }));
    return { lines, size };
  }
  const [codes = []] = known;
  const longest = lengthOf(codes, font);
  const fitting = Math.max(LEAST_SIZE, Math.min(height * 0.7, longest > 0 ? room / longest : height));
  const size = style.size ?? fitting;
  const y = (height - size) / 2 + size * BASELINE;
  const cells = numberOf(inheritedValue(pdf, widget, "MaxLen")) ?? 0;
  if (!isText || !isOf(COMB) || cells <= 0) return { lines: [{ codes, x: place(codes, size), y }], size };
  const cell = width / cells;
  const lines = codes.map((code, i) => ({
    codes: [code],
    x: (i + 0.5) * cell - (lengthOf([code], font) * size) / 2,
    y,
  }));
  return { lines, size };
}

/** How long codes are at the size 1. */
function lengthOf(codes: readonly number[], { widthOf }: FieldFont): number {
  return codes.reduce((sum, code) => sum + widthOf(code), 0) / 1000;
}

/** Breaks lines at spaces, as small as they must be to fit where the reader chooses their size. */
function wrapInto(
  rows: readonly number[][],
  { font, size, room, height }: Style & { room: number; height: number },
): { wrapped: number[][]; size: number } {
  for (let tried = size ?? MOST_SIZE; ; tried--) {
    const wrapped = rows.flatMap((row) => wrapRow(row, font, room / tried));
    const isFitting = wrapped.length * tried * LEADING <= height - 2 * MARGIN;
    if (size !== undefined || isFitting || tried <= LEAST_SIZE) return { wrapped, size: tried };
  }
}

/** No code, in a font without a space: no row has one then. */
const NONE = -1;

function wrapRow(row: readonly number[], font: FieldFont, most: number): number[][] {
  const lines: number[][] = [];
  let [line, word]: [number[], number[]] = [[], []];
  const { space = NONE } = font;
  for (const code of [...row, space]) {
    if (code !== space) {
      word.push(code);
      continue;
    }
    const longer = line.length > 0 ? [...line, space, ...word] : word;
    if (line.length > 0 && lengthOf(longer, font) > most) {
      lines.push(line);
      line = word;
    } else line = longer;
    word = [];
  }
  return [...lines, line];
}

const [RADIO, PUSH] = [16, 17];
/** What check boxes and radio buttons show, where they say nothing else, in ZapfDingbats (table 192). */
const [CHECK, DOT] = ["4", "l"];

/** What readers make of a button without an appearance: its frame, and its caption or the mark of one that is on. */
export function drawButton(
  pdf: Pdf,
  { isOn, ...box }: FieldBox & { isOn: boolean },
): { look: Stream | undefined; isUndrawn: boolean } {
  const { widget } = box;
  const given = resolve(pdf, inheritedDict(pdf, widget, "MK")?.get("CA"));
  const caption = isString(given) ? textOf(given) : "";
  if (hasFlag(pdf, widget, PUSH)) {
    const made = caption === "" ? undefined : drawField(pdf, { ...box, text: caption });
    return { look: made ?? drawMark(pdf, { ...box, mark: "" }), isUndrawn: caption !== "" && !made };
  }
  // Readers draw radio buttons round where their mark is a dot.
  const isRound = hasFlag(pdf, widget, RADIO) && (caption || DOT) === DOT;
  const mark = isOn ? caption.slice(0, 1) || CHECK : "";
  return { look: drawMark(pdf, { ...box, isRound, mark }), isUndrawn: false };
}

/** A frame and what is in it; undefined where there is neither. */
function drawMark(
  pdf: Pdf,
  { mark, isRound = false, ...box }: FieldBox & { mark: string; isRound?: boolean },
): Stream | undefined {
  const { width, height } = box;
  const size = Math.min(width, height) * 0.8;
  const [x, y] = [(width - size * 0.8) / 2, (height - size * 0.7) / 2];
  const shown = `BT /Mark ${written(size)} Tf ${written(x)} ${written(y)} Td <${hexCode(mark.charCodeAt(0) & 255, 1)}> Tj ET`;
  const content = frame(pdf, { ...box, isRound }) + (mark === "" ? "" : shown);
  if (content === "") return undefined;
  const font = makeDict({ Type: "Font", Subtype: "Type1", BaseFont: "ZapfDingbats" });
  const dict = makeDict({
    BBox: [0, 0, realOf(width), realOf(height)],
    Resources: makeDict({ Font: makeDict({ Mark: font }) }),
  });
  return { kind: "stream", dict, data: utf8(content) };
}
