import { expect, test } from "vitest";
import { openLabel, sealLabel } from "../../../tools/crypto/label-seal.ts";

const secret = Uint8Array.from({ length: 32 }, (_, i) => i);
const iv = Uint8Array.from({ length: 12 }, (_, i) => i);
// Computed by Python's cryptography: HKDF(SHA256, 32, b"", b"service-label/v1"), AESGCM, zero bytes to 64.
const LABEL = "Wi-Fi für Gäste 🔑";
const SEALED =
  "l1.AAECAwQFBgcICQoL214Yy2mvSGvQYRh9JqUBlUjKa_H2lhg45T1mDBD5mmCp1RdxiCdViEXk7QFwzfXvPPe2FdoJVSx9JhaMAToEF9avQRJ5o_Ga6JQBjUKMKok";

test("seals a label as another program does, and opens it", async () => {
  expect(await sealLabel(LABEL, secret, iv)).toBe(SEALED);
  expect(await openLabel(SEALED, secret)).toBe(LABEL);
  expect(await openLabel(await sealLabel(LABEL, secret), secret)).toBe(LABEL);
});

test.each(["", "a", "x".repeat(64), "🔑".repeat(64), "e\u0301"])(
  "opens what it sealed: %j",
  async (label) => {
    const sealed = await sealLabel(label, secret);
    expect(sealed.length).toBeLessThanOrEqual(400);
    expect(await openLabel(sealed, secret)).toBe(label.normalize("NFC"));
  },
);

test("tells the length of a label only in steps", async () => {
  const lengths = await Promise.all(["", "a", "x".repeat(64)].map((label) => sealLabel(label, secret)));
  expect(new Set(lengths.map(({ length }) => length)).size).toBe(1);
});

test("opens nothing that was changed or sealed elsewhere, and seals nothing too long", async () => {
  expect(await openLabel(SEALED, secret.toReversed())).toBeUndefined();
  for (const wrong of ["", "l1.", SEALED.slice(0, -4), SEALED.replace("Yy2", "Yy3"), `l2${SEALED.slice(2)}`])
    expect(await openLabel(wrong, secret)).toBeUndefined();
  await expect(sealLabel("x".repeat(65), secret)).rejects.toMatchObject({ code: "invalid_parameter" });
  await expect(sealLabel("a\0b", secret)).rejects.toMatchObject({ code: "invalid_parameter" });
});
