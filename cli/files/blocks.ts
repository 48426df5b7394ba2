import { freeBytes, type Bytes } from "../../wire/bytes.ts";

/** What is written at a time: pieces of 64 KiB one by one take twice as long. */
const BLOCK_BYTES = 2 ** 20;

/**
 * Gathers pieces, which nobody else uses, into blocks. While one is written the next is filled, so a block is good until
 * the next but one is asked for.
 */
export async function* gatherBlocks(pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  const filled = fillBlocks(pieces);
  let next = filled.next();
  try {
    for (;;) {
      const { value } = await next;
      if (!value) return;
      next = filled.next();
      // A failure is thrown when its turn comes; unwatched until then, it would end the process.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await filled.return();
  }
}

async function* fillBlocks(pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  const blocks = [new Uint8Array(BLOCK_BYTES), new Uint8Array(BLOCK_BYTES), new Uint8Array(BLOCK_BYTES)];
  let used = 0;
  let [block = new Uint8Array(BLOCK_BYTES)] = blocks;
  let turn = 0;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const part = piece.subarray(from, from + BLOCK_BYTES - used);
      block.set(part, used);
      from += part.length;
      used += part.length;
      if (used < BLOCK_BYTES) continue;
      yield block;
      used = 0;
      block = blocks[++turn % blocks.length] ?? block;
    }
    freeBytes(piece);
  }
  if (used > 0) yield block.subarray(0, used);
}
