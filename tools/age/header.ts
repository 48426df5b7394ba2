import { partsOf, prepend, type ByteSource } from "../crypto/chunks.ts";
import { joinBytes, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { VERSION } from "./age-file.ts";

/** Room for 1,000 recipients of the largest kind, which take 1.5 kB each. */
const MAX_HEADER_BYTES = 2 ** 21;
const MAX_STANZAS = 10_000;
const FIRST_LOOK_BYTES = 1024;

/**
 * Takes the header off an age file, and no more of it than a header may have.
 * @throws ToolFailure unsupported_feature for another version, damaged_file, too_complex
 */
export async function readAgeHeader(
  source: ByteSource,
): Promise<{ bytes: Bytes; stanzas: readonly (readonly string[])[]; rest: AsyncGenerator<Bytes, void> }> {
  const iterator = partsOf(source);
  let held: Bytes = new Uint8Array(0);
  const more: Bytes[] = [];
  let [heldBytes, wantedBytes] = [0, FIRST_LOOK_BYTES];
  let isOver = false;
  while (!isOver) {
    const next = await iterator.next();
    isOver = next.done === true;
    if (next.value) more.push(next.value);
    heldBytes += next.value?.length ?? 0;
    // Searched again only once there is twice as much.
    if (!isOver && heldBytes < wantedBytes) continue;
    held = joinBytes([held, ...more.splice(0)]);
    const end = findEnd(held);
    if (end !== undefined) {
      const bytes = held.slice(0, end);
      return { bytes, stanzas: readStanzas(bytes), rest: prepend(held.subarray(end), iterator) };
    }
    if (heldBytes > MAX_HEADER_BYTES) throw tooLarge();
    wantedBytes = 2 * heldBytes;
  }
  throw damaged("it ends within its header");
}

/** The end of the line with the MAC, the only one that begins with three hyphens. */
function findEnd(bytes: Bytes): number | undefined {
  const [newline, hyphen] = [0x0a, 0x2d];
  let line = bytes.indexOf(newline);
  while (line >= 0 && line <= MAX_HEADER_BYTES) {
    const end = bytes.indexOf(newline, line + 1);
    if (end < 0) return undefined;
    if ([1, 2, 3].every((i) => bytes[line + i] === hyphen)) return end + 1;
    line = end;
  }
  return undefined;
}

function readStanzas(header: Bytes): string[][] {
  const [version = "", ...lines] = new TextDecoder("latin1").decode(header).split("\n");
  if (version !== VERSION) {
    const message = "The file is of another version of age than v1, the only one known";
    throw new ToolFailure("unsupported_feature", message, { supported: ["v1"] });
  }
  const stanzas = lines.filter((line) => line.startsWith("-> "));
  if (stanzas.length <= MAX_STANZAS) return stanzas.map((line) => line.slice(3).split(" "));
  const fields = { limit: "recipients", value: MAX_STANZAS, unit: "recipients" };
  throw new ToolFailure("too_complex", `The age file has more than ${MAX_STANZAS} recipients`, fields);
}

function tooLarge(): ToolFailure {
  const fields = { limit: "header", value: MAX_HEADER_BYTES, unit: "bytes" };
  return new ToolFailure(
    "too_complex",
    `The header of the age file is longer than ${MAX_HEADER_BYTES} bytes`,
    fields,
  );
}

/** The failure for an age file that is not, or not completely, what was encrypted. */
export function damaged(why: string): ToolFailure {
  return new ToolFailure("damaged_file", `The age file is damaged: ${why}`);
}
