import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MIGRATIONS } from "../../../db/connection/migrate.ts";

const FOLDER = new URL("../../../db/migrations/", import.meta.url);

/** SHA-256 of each file. A digest is only ever added: databases out there have run these very steps. */
const RELEASED: Readonly<Record<string, string>> = {
  "0001-baseline": "df681dcf35f4fce4c5cf3256804afddda5f1c5fb3b51c7edad4b35f03af5fcf0",
  "0002-owner-index": "967e8c885358cf0da5222f8f2ab15f11facedb16e8c0ea244884b508ec971e0f",
  "0003-deliveries": "2cf71ec748ce2895e0a97a7c8a916aaacde4bbdbf3850f324c0622bbce087193",
};

function digestOf(name: string): string {
  const text = readFileSync(new URL(`${name}.ts`, FOLDER), "utf8").replaceAll("\r\n", "\n");
  return createHash("sha256").update(text).digest("hex");
}

test("every migration is a file of its own, in the order of its number", () => {
  const files = readdirSync(FOLDER).sort();
  expect(Object.keys(MIGRATIONS).map((name) => `${name}.ts`)).toEqual(files);
});

test("no migration that was released has changed", () => {
  const digests = Object.keys(MIGRATIONS).map((name) => [name, digestOf(name)]);
  expect(Object.fromEntries(digests)).toEqual(RELEASED);
});
