import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isApiToken, makeApiToken } from "../../../tools/crypto/api-token.ts";

const V6 = "service_token_0123456789ABCDEFGHIJKLMNOPQRSTUV4OZVgp";

describe("an API token", () => {
  test("is written as in the published vector", () => {
    expect(makeApiToken("0123456789ABCDEFGHIJKLMNOPQRSTUV")).toBe(V6);
    expect(createHash("sha256").update(V6).digest("hex")).toBe(
      "1f2ed4a1b96dfa6d949b8dc35816dd5599ce855b42f5f2f8da0065df0b8dbb3e",
    );
  });

  test("matches what secret scanners look for", () => {
    expect(V6).toMatch(/^service_token_[0-9A-Za-z]{38}$/);
    expect(isApiToken(V6)).toBe(true);
  });

  test("is refused when any one of its signs is mistyped", () => {
    for (let i = 0; i < V6.length; i++) {
      const other = V6[i] === "a" ? "b" : "a";
      expect(isApiToken(V6.slice(0, i) + other + V6.slice(i + 1))).toBe(false);
    }
  });

  test.each([
    ["", "nothing"],
    ["service_token_", "the prefix alone"],
    [V6.slice(0, -1), "one sign less"],
    [`${V6}0`, "one sign more"],
    [` ${V6}`, "a blank before"],
    [`${V6}\n`, "a line break after"],
    [V6.replace("service", "Service"), "another prefix"],
  ])("is not %j: %s", (text) => {
    expect(isApiToken(text)).toBe(false);
  });

  test.each(["", "0".repeat(31), "0".repeat(33), "-".repeat(32)])("is not made from %j", (digits) => {
    expect(() => makeApiToken(digits)).toThrow(RangeError);
  });
});
