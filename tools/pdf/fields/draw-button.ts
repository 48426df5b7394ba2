import { utf8 } from "../../../wire/bytes.ts";
import { type Pdf, resolve } from "../model/document.ts";
import { textOf } from "../syntax/strings.ts";
import { isString, makeDict, type Stream } from "../syntax/values.ts";
import { type FieldBox, frame, hexByte, realOf, written } from "./field-box.ts";
import { inheritedDict } from "./field-font.ts";

/** What check boxes and radio buttons show, where they say nothing else, in ZapfDingbats (table 192). */
const CHECK = "4";

/** The mark of a button that is on. */
export function drawMark(pdf: Pdf, { widget, width, height }: FieldBox): Stream {
  const caption = resolve(pdf, inheritedDict(pdf, { widget, key: "MK" })?.get("CA"));
  const size = Math.min(width, height) * 0.8;
  const [x, y] = [(width - size * 0.8) / 2, (height - size * 0.7) / 2];
  const mark = isString(caption) ? textOf(caption).slice(0, 1) : CHECK;
  const content = `${frame(pdf, { widget, width, height })}BT /Mark ${written(size)} Tf ${written(x)} ${written(y)} Td <${hexByte(mark.charCodeAt(0) & 255)}> Tj ET`;
  const font = makeDict({ Type: "Font", Subtype: "Type1", BaseFont: "ZapfDingbats" });
  const dict = makeDict({
    BBox: [0, 0, realOf(width), realOf(height)],
    Resources: makeDict({ Font: makeDict({ Mark: font }) }),
  });
  return { kind: "stream", dict, data: utf8(content) };
}
