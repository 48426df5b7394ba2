import { deepStrictEqual } from "node:assert";
import { expect, test } from "vitest";
import { ByteParts, ByteStream } from "../../wire/byte-pieces.ts";
import { concatBytes, utf8, type Bytes } from "../../wire/bytes.ts";
import { encodeBase64Tree } from "../../wire/byte-tree.ts";
import { decodeFrame, encodeFrame, frameParts, openFrame, streamedFrameParts } from "../../wire/frame.ts";
import { fc, runs } from "../support/properties.ts";

// Written by Python: struct.pack(">I", len(head)) + head + parts.
const VECTORS: [value: unknown, hex: string][] = [
  [
    { name: "é", file: Uint8Array.of(1, 2, 3), rest: [new Uint8Array(), Uint8Array.of(254, 255)] },
    "000000507b226e616d65223a22c3a9222c2266696c65223a7b22246279746573223a5b302c335d7d2c2272657374223a5b7b2224" +
      "6279746573223a5b332c305d7d2c7b22246279746573223a5b332c325d7d5d7d010203feff",
  ],
  [
    { $bytes: [0, 3], more: Uint8Array.of(7) },
    "000000337b22246279746573223a7b22246279746573223a5b302c335d2c226d6f7265223a7b22246279746573223a5b302c315d7d7d7d07",
  ],
  [null, "000000046e756c6c"],
  ["", "000000022222"],
];

test.each(VECTORS)("writes and reads %j as other implementations do", (value, hex) => {
  expect(Buffer.from(encodeFrame(value)).toString("hex")).toBe(hex);
  expect(decodeFrame(fromHex(hex))).toStrictEqual(value);
});

test("brings back any tree of plain values and bytes, whatever its keys are", () => {
  const key = fc.oneof(fc.string(), fc.constantFrom("$bytes", "__proto__", "0", "toJSON", "constructor"));
  const bytes = fc.uint8Array({ maxLength: 40 });
  const tree = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.string({ unit: "binary" }),
      fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 60),
      bytes,
      fc.array(tie("tree"), { maxLength: 5 }),
      fc.array(fc.tuple(key, tie("tree")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).tree;
  fc.assert(
    fc.property(tree, (value) => {
      // Not toStrictEqual, which takes a key "constructor" for the class.
      deepStrictEqual(decodeFrame(encodeFrame(value)), value);
    }),
    runs(300),
  );
});

test("writes bytes in parts as it writes them whole", () => {
  const parts = [Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)];
  const [inParts, whole] = [new ByteParts(parts), Uint8Array.of(1, 2, 3)];
  expect(encodeFrame({ a: inParts, b: [whole, new ByteParts([])] })).toEqual(
    encodeFrame({ a: whole, b: [whole, new Uint8Array(0)] }),
  );
  expect(encodeBase64Tree({ a: inParts })).toEqual(encodeBase64Tree({ a: whole }));
});

test("a file is called by its name and not by its path, as Bun calls those of the disk", () => {
  const named = (name: string) => Object.assign(new Blob(["x"]), { name });
  for (const name of ["/home/ann/tax.pdf", "C:\\tax.pdf", "tax.pdf"]) {
    const head = streamedFrameParts({ file: named(name) }).filter((part) => part instanceof Uint8Array);
    expect(Buffer.concat(head).toString()).toContain('"name":"tax.pdf"');
  }
});

test("never lets a key of the data become a prototype", () => {
  const value = decodeFrame(makeFrame('{"__proto__":{"isAdmin":true,"file":{"$bytes":[0,1]}}}', [1]));
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect((value as { isAdmin?: boolean }).isAdmin).toBe(undefined);
});

test("restored arrays are views on the frame, and written parts are the arrays themselves", () => {
  const file = new Uint8Array(5);
  expect(frameParts({ file })[1]).toBe(file);
  const frame = encodeFrame({ file });
  const { file: read } = decodeFrame(frame) as { file: Bytes };
  expect(read.buffer).toBe(frame.buffer);
});

test("finds the frame inside a larger buffer", () => {
  const frame = encodeFrame({ file: Uint8Array.of(9) });
  const padded = concatBytes(utf8("before"), frame, utf8("after"));
  expect(decodeFrame(padded.subarray(6, 6 + frame.length))).toEqual({ file: Uint8Array.of(9) });
});

test("takes the parts in any order of the head", () => {
  const frame = makeFrame('{"b":{"$bytes":[2,1]},"empty":{"$bytes":[2,0]},"a":{"$bytes":[0,2]}}', [1, 2, 3]);
  expect(decodeFrame(frame)).toEqual({
    a: Uint8Array.of(1, 2),
    empty: new Uint8Array(),
    b: Uint8Array.of(3),
  });
});

test.each([
  ["a date", new Date(0)],
  ["a map", new Map()],
  ["an object with a class", new (class Point {})()],
  ["another typed array", new Uint16Array(2)],
  ["NaN", Number.NaN],
  ["infinity", -Infinity],
  ["a bigint", 1n],
  ["a function", () => 1],
  ["a symbol", Symbol("x")],
  ["undefined", undefined],
])("refuses to write %s, which JSON would lose or change", (_, value) => {
  expect(() => encodeFrame(value)).toThrow(TypeError);
  expect(() => encodeFrame([value])).toThrow(TypeError);
});

test("refuses holes and cycles, and drops properties that are undefined", () => {
  expect(() => encodeFrame([1, , 2])).toThrow(TypeError);
  const cycle: { inner?: unknown } = {};
  cycle.inner = cycle;
  expect(() => encodeFrame(cycle)).toThrow("nested deeper");
  expect(decodeFrame(encodeFrame({ a: undefined, b: 1 }))).toStrictEqual({ b: 1 });
});

test.each([
  [64, true],
  [65, false],
])("a value may be nested up to 64 levels: %i", (depth, isAllowed) => {
  let value: unknown = {};
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { $bytes: value };
  const frame = makeFrame("[".repeat(depth) + "[]" + "]".repeat(depth), []);
  const [write, read] = [() => encodeFrame(value), () => decodeFrame(frame)];
  if (isAllowed) {
    expect(decodeFrame(write())).toStrictEqual(value);
    expect(read).not.toThrow();
  } else {
    expect(write).toThrow("nested deeper than 64");
    expect(read).toThrow("nested deeper than 64");
  }
});

test.each([
  [4096, true],
  [4097, false],
])("a frame may hold up to 4,096 parts: %i", (count, isAllowed) => {
  const value = Array.from({ length: count }, () => new Uint8Array());
  const frame = makeFrame(`[${value.map(() => '{"$bytes":[0,0]}').join()}]`, []);
  if (isAllowed) {
    expect(decodeFrame(encodeFrame(value))).toHaveLength(count);
    expect(decodeFrame(frame)).toHaveLength(count);
  } else {
    expect(() => encodeFrame(value)).toThrow("4096");
    expect(() => decodeFrame(frame)).toThrow("4096");
  }
});

test("does not run out of stack or time on a million brackets", () => {
  expect(() => decodeFrame(makeFrame("[".repeat(1e6) + "]".repeat(1e6), []))).toThrow(TypeError);
});

test.each([
  ["nothing", ""],
  ["less than a length", "000000"],
  ["a length without a head", "00000001"],
  ["a head longer than the frame", "000000056e756c6c"],
  ["the longest length", "ffffffff6e756c6c"],
  ["an empty head", "00000000"],
  ["bytes that nothing names", "000000046e756c6c00"],
  ["bad UTF-8", "0000000322ff22"],
  ["a byte order mark", "00000007efbbbf6e756c6c"],
  ["no JSON", "0000000178"],
])("refuses a frame of %s", (_, hex) => {
  expect(() => decodeFrame(fromHex(hex))).toThrow(TypeError);
});

test.each([
  ["a part past the end", '{"$bytes":[0,4]}'],
  ["a part that starts past the end", '[{"$bytes":[0,3]},{"$bytes":[4,0]}]'],
  ["overlapping parts", '[{"$bytes":[0,2]},{"$bytes":[1,2]}]'],
  ["the same part twice", '[{"$bytes":[0,3]},{"$bytes":[0,3]}]'],
  ["a gap", '[{"$bytes":[0,1]},{"$bytes":[2,1]}]'],
  ["bytes left over", '{"$bytes":[0,2]}'],
  ["a negative offset", '{"$bytes":[-1,3]}'],
  ["a fraction", '{"$bytes":[0,2.5]}'],
  ["a huge length", '{"$bytes":[0,1e300]}'],
  ["a sum that wraps", '{"$bytes":[9007199254740991,9007199254740991]}'],
  ["numbers as text", '{"$bytes":["0","3"]}'],
  ["one number", '{"$bytes":[3]}'],
  ["three numbers", '{"$bytes":[0,3,0]}'],
  ["base64", '{"$bytes":"AQID"}'],
  ["null", '{"$bytes":null}'],
  ["an object that is no escaped one", '{"$bytes":{"offset":0,"length":3}}'],
  ["another key beside", '{"$bytes":[0,3],"more":1}'],
])("refuses a head with %s", (_, head) => {
  expect(() => decodeFrame(makeFrame(head, [1, 2, 3]))).toThrow(TypeError);
});

test("a refusal quotes nothing of the frame", () => {
  expect(() => decodeFrame(makeFrame('{"password":hunter2}', []))).toThrow(/^(?!.*hunter2)/s);
});

test("any damage is refused with a TypeError or read as other data, and never anything else", () => {
  const frame = encodeFrame({ a: Uint8Array.of(1, 2, 3), list: [{ b: Uint8Array.of(4) }, "text"] });
  for (let i = 0; i < frame.length; i++) {
    for (const byte of [0, 1, 0x22, 0x2c, 0x30, 0x5b, 0x7b, 0xff]) {
      try {
        decodeFrame(frame.with(i, byte) as Bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }
    expect(() => decodeFrame(frame.slice(0, i))).toThrow(TypeError);
  }
});

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Bytes> {
  for (let at = 0; at < bytes.length; at += size) yield new Uint8Array(bytes.subarray(at, at + size));
}

async function written(value: unknown): Promise<Bytes> {
  const parts = streamedFrameParts(value).map((part) =>
    part instanceof ByteStream ? part.bytes() : Promise.resolve(part),
  );
  return concatBytes(...(await Promise.all(parts)));
}

test("carries one stream behind all other bytes, of a known length or up to the end", async () => {
  const file = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
  for (const length of [1000, undefined]) {
    const value = {
      name: "a",
      first: Uint8Array.of(1, 2),
      file: new ByteStream(inPieces(file, 300), length),
    };
    const frame = await written(value);
    for (const size of [1, 7, 400, 2000]) {
      const { file: stream, ...rest } = (await openFrame(inPieces(frame, size))) as { file: ByteStream };
      expect(rest).toEqual({ name: "a", first: Uint8Array.of(1, 2) });
      expect(stream.length).toBe(length);
      expect(await stream.bytes()).toEqual(file);
    }
  }
});

test("reads a frame from a socket of Node, whose pieces are views on a larger buffer", async () => {
  const parts = streamedFrameParts({ a: 1, file: new ByteStream(inPieces(utf8("streamed"), 3)) });
  const head = Buffer.concat(parts.filter((part) => part instanceof Uint8Array));
  const around = Buffer.concat([Buffer.from("POST / HTTP/1.1"), head, Buffer.from("streamed")]);
  async function* socket() {
    yield around.subarray(15) as unknown as Bytes;
  }
  const { file, ...rest } = (await openFrame(socket(), { maxHeadBytes: 1000 })) as { file: ByteStream };
  expect(rest).toEqual({ a: 1 });
  expect(new TextDecoder().decode(await file.bytes())).toBe("streamed");
});

test("reads a frame without a stream whole, or its only bytes as a stream where that is wanted", async () => {
  const value = { a: Uint8Array.of(1, 2, 3), b: "text" };
  const frame = encodeFrame(value);
  expect(await openFrame(inPieces(frame, 2))).toEqual(value);
  const opened = (await openFrame(inPieces(frame, 2), { streamLast: true })) as { a: ByteStream; b: string };
  expect([await opened.a.bytes(), opened.b]).toEqual([value.a, "text"]);
  expect(await openFrame(inPieces(encodeFrame({ b: 1 }), 2), { streamLast: true })).toEqual({ b: 1 });
});

test("writes a stream of a known length that others follow as any other part", async () => {
  const [a, b, c] = [Uint8Array.of(1, 2), Uint8Array.of(3), Uint8Array.of(4, 5)];
  const stream = (bytes: Bytes) => new ByteStream(inPieces(bytes, 1), bytes.length);
  const frame = await written([stream(a), b, stream(c)]);
  const [first, second, last] = (await openFrame(inPieces(frame, 4))) as [Bytes, Bytes, ByteStream];
  expect([first, second, await last.bytes()]).toEqual([a, b, c]);
  expect(decodeFrame(frame)).toEqual([a, b, c]);
});

test("refuses a stream of another length, two streams, bytes behind one, and a long head", async () => {
  const stream = (length?: number) => new ByteStream(inPieces(Uint8Array.of(1, 2, 3), 2), length);
  for (const length of [2, 4]) {
    const { file } = (await openFrame(inPieces(await written({ file: stream(length) }), 4))) as {
      file: ByteStream;
    };
    await expect(file.bytes()).rejects.toThrow("another length");
  }
  expect(() => streamedFrameParts([stream(), Uint8Array.of(1)])).toThrow(TypeError);
  expect(() => encodeFrame({ file: stream(3) })).toThrow(TypeError);
  for (const head of [
    '[{"$bytes":[0,null,"stream"]},{"$bytes":[0,1,"stream"]}]',
    '[{"$bytes":[0,1,"stream"]},{"$bytes":[1,1]}]',
    '[{"$bytes":[0,null]}]',
    '[{"$bytes":[0,1,"else"]}]',
    '[{"$bytes":[5,1,"stream"]}]',
  ])
    await expect(openFrame(inPieces(makeFrame(head, [1, 2]), 3))).rejects.toThrow(TypeError);
  const long = inPieces(encodeFrame("x".repeat(100)), 10);
  await expect(openFrame(long, { maxHeadBytes: 100 })).rejects.toThrow(TypeError);
});

function makeFrame(head: string, body: number[]): Bytes {
  const json = utf8(head);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, json.length);
  return concatBytes(length, json, Uint8Array.from(body));
}

function fromHex(hex: string): Bytes {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

test("leaves to a transformer what JSON cannot carry, but no bytes", () => {
  const value = { at: new Date(0), file: Uint8Array.of(7), $bytes: 1, large: 2n };
  const seen: unknown[] = [];
  const [head, file] = streamedFrameParts(value, {
    serialize: (tree) => {
      seen.push(tree);
      return ["text", { $bytes: "of the transformer" }];
    },
  });
  expect([seen, file]).toStrictEqual([
    [{ $bytes: { at: new Date(0), file: { $bytes: [0, 1] }, $bytes: 1, large: 2n } }],
    Uint8Array.of(7),
  ]);
  expect(new TextDecoder().decode((head as Bytes).subarray(4))).toBe(
    '["text",{"$bytes":"of the transformer"}]',
  );
  for (const left of [new Map(), 2n, NaN, { inside: Uint8Array.of(1) }])
    expect(() => streamedFrameParts(value, { serialize: () => left })).toThrow(TypeError);
});

test("reads what a transformer made of the head, with bytes in it, and leaves objects of classes alone", () => {
  const frame = encodeFrame([Uint8Array.of(7), "head"]);
  const at = Object.assign(new Date(0), { $bytes: [0, 1] });
  const deserialize = (head: unknown) => ({ head, at });
  expect(decodeFrame(frame, { deserialize })).toStrictEqual({ head: [Uint8Array.of(7), "head"], at });
});

test("visits once what a transformer put into many places, and refuses a ring", () => {
  const frame = encodeFrame("a few bytes");
  // As many paths as there are microseconds in a year.
  const shared = (): unknown => Array.from({ length: 45 }).reduce((inner) => [inner, inner], "x");
  expect(decodeFrame(frame, { deserialize: shared })).toHaveLength(2);
  const ring: unknown[] = [];
  ring.push(ring, ring);
  expect(() => decodeFrame(frame, { deserialize: () => ring })).toThrow(TypeError);
});
