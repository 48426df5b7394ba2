import type { PoolClient, Query } from "pg";
import type { Bytes } from "../../schema.ts";

/** A signature and flags, then the length of what may follow them (PostgreSQL manual, COPY, binary format). */
const EXTENSION_AT = 15;
const HEADER_BYTES = 19;
/** How many fields a row has, and the length of the only one. */
const ROW_HEAD_BYTES = 6;

/**
 * Gives the rows of a query of one column, bytes that are never null. The driver makes a hexadecimal text of such a
 * value and then bytes again, which takes four times the processor time. `COPY` takes no parameters.
 */
export function copyOut(
  client: PoolClient,
  { text, Query: DriverQuery, timeout }: { text: string; Query: typeof Query; timeout: number },
): Promise<Bytes[]> {
  return new Promise((resolve, reject) => {
    const reader = new CopyReader();
    const query = new DriverQuery(`copy (${text}) to stdout (format binary)`, (error) =>
      error ? reject(error) : resolve(reader.values),
    );
    // The driver hands over what is copied, and its own query leaves that.
    const handleCopyData = ({ chunk }: { chunk: Uint8Array }) => reader.push(chunk);
    client.query(Object.assign(query, { handleCopyData, query_timeout: timeout }));
  });
}

/** Reads the binary format as it comes, in pieces of any size that belong to somebody else. */
export class CopyReader {
  readonly values: Bytes[] = [];
  #held: Uint8Array = new Uint8Array(0);
  #isBegun = false;

  push(piece: Uint8Array): void {
    const bytes = this.#held.length > 0 ? join(this.#held, piece) : piece;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    if (!this.#isBegun && bytes.length >= HEADER_BYTES) {
      at = HEADER_BYTES + view.getInt32(EXTENSION_AT);
      this.#isBegun = at <= bytes.length;
    }
    while (this.#isBegun && at + ROW_HEAD_BYTES <= bytes.length) {
      const from = at + ROW_HEAD_BYTES;
      const to = from + view.getInt32(from - 4);
      if (to > bytes.length) break;
      this.values.push(new Uint8Array(bytes.subarray(from, to)));
      at = to;
    }
    this.#held = new Uint8Array(bytes.subarray(this.#isBegun ? at : 0));
  }
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
