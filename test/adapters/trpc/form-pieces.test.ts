import { fc, runs } from "../../support/properties.ts";
import { expect, test } from "vitest";
import type { RequestContext } from "../../../adapters/trpc/adapter.ts";
import { formPieces, splitForm } from "../../../adapters/trpc/body/form-pieces.ts";
import { concatBytes, utf8, type Bytes } from "../../../wire/bytes.ts";

const HEAD = '\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
const context = {
  request: new Request("http://any", { headers: { "content-type": "multipart/form-data; boundary=b-" } }),
  body: { declaredBytes: undefined },
} as unknown as RequestContext;

const formOf = (parts: readonly string[], head = HEAD) =>
  utf8(`${parts.map((part) => `--b-${head}${part}\r\n`).join("")}--b---\r\n`);

async function* inChunks(bytes: Bytes, size: number): AsyncGenerator<Bytes, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

const whole = async (form: Bytes) => (await splitForm(form, context)).map(({ bytes }) => bytes);

async function arriving(form: Bytes, size: number): Promise<Bytes[]> {
  const parts: Bytes[] = [];
  for await (const { pieces } of formPieces(inChunks(form, size), context)) {
    const bytes: Bytes[] = [];
    for await (const piece of pieces) bytes.push(piece);
    parts.push(concatBytes(...bytes));
  }
  return parts;
}

test("a form has the same parts whole and in any pieces, however much of them looks like its delimiter", async () => {
  const part = fc
    .array(fc.constantFrom("\r", "\n", "-", "b", "--b", "\r\n-", "x"), { maxLength: 12 })
    .map((texts) => texts.join(""))
    .filter((text) => !`\r\n${text}\r\n`.includes("\r\n--b-"));
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 4 }),
      fc.integer({ min: 1, max: 80 }),
      async (parts, size) => {
        const form = formOf(parts);
        expect(await whole(form)).toEqual(parts.map(utf8));
        expect(await arriving(form, size)).toEqual(parts.map(utf8));
      },
    ),
    runs(200),
  );
});

test("a part may have no head, and end anywhere between two turns", async () => {
  const bare = formOf(["one\r\n\r\ntwo", ""], "\r\n\r\n");
  expect(await whole(bare)).toEqual([utf8("one\r\n\r\ntwo"), utf8("")]);
  expect(await arriving(bare, 7)).toEqual([utf8("one\r\n\r\ntwo"), utf8("")]);
  for (let less = 0; less < 8; less++) {
    const parts = ["a".repeat(2 ** 20 - HEAD.length - less), "\r".repeat(2 ** 21 + less), "end"];
    expect((await whole(formOf(parts))).map(({ length }) => length)).toEqual(
      parts.map(({ length }) => length),
    );
  }
});
