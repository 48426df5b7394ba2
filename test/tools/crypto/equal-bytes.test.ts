import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { equalBytes } from "../../../tools/crypto/equal-bytes.ts";

const ROOT = new URL("../../../", import.meta.url);
const ROOMS = ["adapters", "cli", "client", "db", "router", "tools", "web", "wire"];

const digest = () => Uint8Array.from({ length: 32 }, (_, i) => i * 7);

test("tells digests apart by any of their bits", () => {
  expect(equalBytes(digest(), digest())).toBe(true);
  for (let bit = 0; bit < 256; bit++) {
    const other = digest();
    other[bit >> 3]! ^= 1 << (bit & 7);
    expect(equalBytes(digest(), other)).toBe(false);
  }
});

test("tells those of other lengths apart, also where one begins the other", () => {
  expect(equalBytes(digest(), digest().subarray(0, 31))).toBe(false);
  expect(equalBytes(new Uint8Array(), digest())).toBe(false);
  expect(equalBytes(new Uint8Array(), new Uint8Array())).toBe(true);
});

test("looks at every byte, wherever the first difference is", () => {
  const read: number[] = [];
  const watched = new Proxy(digest(), {
    get(target, name) {
      if (name === "length") return target.length;
      read.push(Number(name));
      return target[Number(name)];
    },
  });
  expect(equalBytes(watched, new Uint8Array(32).fill(255))).toBe(false);
  expect(read).toEqual(Array.from({ length: 32 }, (_, i) => i));
});

test("is the only comparison of its kind", () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(new URL(`${room}/`, ROOT), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/(^|\/)(dist|node_modules)\//.test(name))
      .map((name) => `${room}/${name}`),
  );
  const others = files.filter((file) => {
    const source = readFileSync(new URL(file, ROOT), "utf8");
    return /\btimingSafeEqual\b|\|=\s*[^;\n]*\^/.test(source);
  });
  expect(others).toEqual(["tools/crypto/equal-bytes.ts"]);
});
