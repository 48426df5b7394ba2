import { zlibSync } from "fflate";
import { putValue, type Renumber } from "./serialize.ts";
import { putBytes, putText, type Sink, sizeOf } from "./sink.ts";
import type { Dict, Value } from "../syntax/values.ts";

/** Where an object was put: in the file, or at an index of the object stream `holder`. */
export interface Place {
  readonly at: number;
  readonly holder: number;
}

interface Ending {
  /** By object number; 0 is the head of the free list. */
  readonly places: readonly Place[];
  readonly trailer: Dict;
  readonly renumber: Renumber;
}

/** Ends a file with a cross-reference table (ISO 32000-1, 7.5.4). */
export function putTable(sink: Sink, { places, trailer, renumber }: Ending): void {
  const start = sizeOf(sink);
  putText(sink, `xref\n0 ${places.length}\n0000000000 65535 f \n`);
  for (const { at } of places.slice(1)) putText(sink, `${String(at).padStart(10, "0")} 00000 n \n`);
  putText(sink, "trailer\n");
  putValue(sink, { value: new Map([...trailer, ["Size", places.length]]), renumber });
  putText(sink, `\nstartxref\n${start}\n%%EOF\n`);
}

/** Ends a file with a cross-reference stream (7.5.8), which is itself the last object. */
export function putXrefStream(sink: Sink, { places, trailer, renumber }: Ending): void {
  const start = sizeOf(sink);
  const all = [...places, { at: start, holder: 0 }];
  const data = zlibSync(tableOf(all), { level: 6 });
  const dict: Dict = new Map<string, Value>([
    ...trailer,
    ["Type", "XRef"],
    ["Size", all.length],
    ["W", [...WIDTHS]],
    ["Filter", "FlateDecode"],
    [
      "DecodeParms",
      new Map<string, Value>([
        ["Predictor", 12],
        ["Columns", ROW],
      ]),
    ],
    ["Length", data.length],
  ]);
  putText(sink, `${places.length} 0 obj\n`);
  putValue(sink, { value: dict, renumber });
  putText(sink, "\nstream\n");
  putBytes(sink, data);
  putText(sink, `\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`);
}

const WIDTHS = [1, 4, 2] as const;
const ROW = 7;

/** Rows as differences to the row above (PNG "up"), which makes them a third as long. */
function tableOf(places: readonly Place[]): Uint8Array {
  const bytes = new Uint8Array(places.length * (ROW + 1));
  const above = new Uint8Array(ROW);
  const row = new Uint8Array(ROW);
  const view = new DataView(row.buffer);
  places.forEach(({ at, holder }, num) => {
    view.setUint8(0, num === 0 ? 0 : holder > 0 ? 2 : 1);
    view.setUint32(1, holder > 0 ? holder : at);
    view.setUint16(5, num === 0 ? 65535 : holder > 0 ? at : 0);
    const start = num * (ROW + 1);
    bytes[start] = 2;
    for (let i = 0; i < ROW; i++) bytes[start + 1 + i] = row[i]! - above[i]!;
    above.set(row);
  });
  return bytes;
}
