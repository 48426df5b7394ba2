import { byteAt } from "../../../wire/bytes.ts";
import { zlibSync } from "fflate";
import { writeValue, type Renumber } from "./serialize.ts";
import { writeBytes, writeText, type ByteWriter, bytesWritten } from "./byte-writer.ts";
import { type Dict, makeDict, type Value } from "../syntax/values.ts";

/** Where an object was written: at an offset of the file, or at the index `offset` of object stream `streamNum`. */
export interface ObjectLocation {
  readonly offset: number;
  readonly streamNum: number;
}

interface XrefSection {
  /** By object number; 0 is the head of the free list. */
  readonly locations: readonly ObjectLocation[];
  readonly trailer: Dict;
  readonly renumber: Renumber;
}

/** Ends a file with a cross-reference table (ISO 32000-1, 7.5.4). */
export function writeXrefTable(output: ByteWriter, { locations, trailer, renumber }: XrefSection): void {
  const start = bytesWritten(output);
  writeText(output, `xref\n0 ${locations.length}\n0000000000 65535 f \n`);
  for (const { offset: at } of locations.slice(1))
    writeText(output, `${String(at).padStart(10, "0")} 00000 n \n`);
  writeText(output, "trailer\n");
  writeValue(output, { value: new Map([...trailer, ["Size", locations.length]]), renumber });
  writeText(output, `\nstartxref\n${start}\n%%EOF\n`);
}

/** Ends a file with a cross-reference stream (7.5.8), which is itself the last object. */
export function writeXrefStream(output: ByteWriter, { locations, trailer, renumber }: XrefSection): void {
  const start = bytesWritten(output);
  const all = [...locations, { offset: start, streamNum: 0 }];
  const data = zlibSync(encodeEntries(all), { level: 6 });
  const dict: Dict = new Map<string, Value>([
    ...trailer,
    ["Type", "XRef"],
    ["Size", all.length],
    ["W", [...WIDTHS]],
    ["Filter", "FlateDecode"],
    ["DecodeParms", makeDict({ Predictor: 12, Columns: ROW })],
    ["Length", data.length],
  ]);
  writeText(output, `${locations.length} 0 obj\n`);
  writeValue(output, { value: dict, renumber });
  writeText(output, "\nstream\n");
  writeBytes(output, data);
  writeText(output, `\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`);
}

const WIDTHS = [1, 4, 2] as const;
const ROW = 7;

/** Rows as differences to the row above (PNG "up"), which makes them a third as long. */
function encodeEntries(locations: readonly ObjectLocation[]): Uint8Array {
  const bytes = new Uint8Array(locations.length * (ROW + 1));
  const above = new Uint8Array(ROW);
  const row = new Uint8Array(ROW);
  const view = new DataView(row.buffer);
  locations.forEach(({ offset: at, streamNum }, num) => {
    view.setUint8(0, num === 0 ? 0 : streamNum > 0 ? 2 : 1);
    view.setUint32(1, streamNum > 0 ? streamNum : at);
    view.setUint16(5, num === 0 ? 65535 : streamNum > 0 ? at : 0);
    const start = num * (ROW + 1);
    bytes[start] = 2;
    for (let i = 0; i < ROW; i++) bytes[start + 1 + i] = byteAt(row, i) - byteAt(above, i);
    above.set(row);
  });
  return bytes;
}
