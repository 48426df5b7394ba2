import { utf8 } from "../../../wire/bytes.ts";
import { type Pdf, resolve } from "../model/document.ts";
import { textOf } from "../syntax/strings.ts";
import { isString, makeDict, type Stream } from "../syntax/values.ts";
import { drawField } from "./draw-field.ts";
import { type FieldBox, frame, hexByte, realOf, written } from "./field-box.ts";
import { hasFlag, inheritedDict } from "./field-font.ts";

const [RADIO, PUSH] = [16, 17];
/** What check boxes and radio buttons show, where they say nothing else, in ZapfDingbats (table 192). */
const [CHECK, DOT] = ["4", "l"];

/** What readers make of a button without an appearance: its frame, and its caption or the mark of one that is on. */
export function drawButton(
  pdf: Pdf,
  { isOn, ...box }: FieldBox & { isOn: boolean },
): { look: Stream | undefined; isUndrawn: boolean } {
  const { widget } = box;
  const given = resolve(pdf, inheritedDict(pdf, { widget, key: "MK" })?.get("CA"));
  const caption = isString(given) ? textOf(given) : "";
  if (hasFlag(pdf, { widget, position: PUSH })) {
    const made = caption === "" ? undefined : drawField(pdf, { ...box, text: caption });
    return { look: made ?? drawMark(pdf, { ...box, mark: "" }), isUndrawn: caption !== "" && !made };
  }
  // Readers draw radio buttons round where their mark is a dot.
  const isRound = hasFlag(pdf, { widget, position: RADIO }) && (caption || DOT) === DOT;
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
  const shown = `BT /Mark ${written(size)} Tf ${written(x)} ${written(y)} Td <${hexByte(mark.charCodeAt(0) & 255)}> Tj ET`;
  const content = frame(pdf, { ...box, isRound }) + (mark === "" ? "" : shown);
  if (content === "") return undefined;
  const font = makeDict({ Type: "Font", Subtype: "Type1", BaseFont: "ZapfDingbats" });
  const dict = makeDict({
    BBox: [0, 0, realOf(width), realOf(height)],
    Resources: makeDict({ Font: makeDict({ Mark: font }) }),
  });
  return { kind: "stream", dict, data: utf8(content) };
}
