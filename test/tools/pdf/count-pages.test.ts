import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { countPages } from "../../../tools/pdf/count-pages.ts";
import { bytesOf, pagesPdf } from "./support/pdf-made.ts";

const locked = new Uint8Array(readFileSync(new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url)));

test("counts the pages of a PDF", async () => {
  expect(await countPages({ file: pagesPdf(7) })).toBe(7);
  expect(await countPages({ file: locked, password: "geheim" })).toBe(1);
});

test("says why a PDF does not open", async () => {
  await expect(countPages({ file: locked })).rejects.toMatchObject({ code: "password_required" });
  await expect(countPages({ file: locked, password: "x" })).rejects.toMatchObject({ code: "password_wrong" });
  await expect(countPages({ file: bytesOf("no PDF") })).rejects.toMatchObject({ code: "wrong_file_type" });
});
