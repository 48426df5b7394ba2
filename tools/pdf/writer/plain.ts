import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";

/** An object as it is written, or a stream: its dictionary without delimiters and /Length, and its data. */
export type PlainObject = string | { readonly dict: string; readonly data: Uint8Array };

/**
 * A document of objects that are numbered from 1 on, the first being its catalog, with a cross-reference table
 * (ISO 32000-1, 7.5.4).
 */
export function writePlainPdf(objects: readonly PlainObject[]): Bytes {
  const parts: Uint8Array[] = [utf8("%PDF-1.7\n%"), Uint8Array.of(0xe2, 0xe3, 0xcf, 0xd3), utf8("\n")];
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  const write = (part: Uint8Array) => {
    parts.push(part);
    length += part.length;
  };
  let xref = "0000000000 65535 f \n";
  for (const [i, object] of objects.entries()) {
    xref += `${String(length).padStart(10, "0")} 00000 n \n`;
    write(utf8(`${i + 1} 0 obj\n`));
    if (typeof object === "string") write(utf8(object));
    else {
      write(utf8(`<<${object.dict}/Length ${object.data.length}>>\nstream\n`));
      write(object.data);
      write(utf8("\nendstream"));
    }
    write(utf8("\nendobj\n"));
  }
  const size = objects.length + 1;
  const end = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`;
  return joinBytes([...parts, utf8(`xref\n0 ${size}\n${xref}${end}`)]);
}
