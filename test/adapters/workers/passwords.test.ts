import { expect, test } from "vitest";
import { createLane } from "../../../adapters/workers/lanes.ts";
import { createPasswords } from "../../../adapters/workers/passwords.ts";
import type { Lane, Requester } from "../../../router/context.ts";

const CHEAP = { ln: 4, r: 8, p: 1 };
const ME: Requester = { caller: "me" };
const lane: Lane = { run: (_, work) => work() };
const cheap = createPasswords({ lane, cost: CHEAP });

// RFC 7914, section 12, written as a PHC string.
const RFC_VECTOR =
  "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$" +
  "cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw";

// Made by Python's hashlib.scrypt.
const FULL_COST = "$scrypt$ln=15,r=8,p=3$AAECAwQFBgcICQoLDA0ODw$Yks2DeqyM4/49CWuv7zSNXS3b7gN6P5vhZbApKq9hbk";

test("agrees with the vector of RFC 7914 and with Python at the full cost", async () => {
  expect(await cheap.check("pleaseletmein", RFC_VECTOR, ME)).toEqual({ isRight: true, isOutdated: true });
  const full = createPasswords({ lane });
  expect(await full.check("pässwörd 1234", FULL_COST, ME)).toEqual({ isRight: true, isOutdated: false });
  expect(await full.hash("pässwörd 1234", ME)).toMatch(
    /^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  );
});

test("knows a password again, however its accents were typed, and no other", async () => {
  const hash = await cheap.hash("caf\u00e9 cafe\u0301", ME);
  expect(await cheap.check("cafe\u0301 caf\u00e9", hash, ME)).toEqual({ isRight: true, isOutdated: false });
  expect((await cheap.check("cafe cafe", hash, ME)).isRight).toBe(false);
  expect((await cheap.check("", hash, ME)).isRight).toBe(false);
});

test("salts every hash", async () => {
  expect(await cheap.hash("same", ME)).not.toBe(await cheap.hash("same", ME));
});

test("works as long for nobody and for a hash it cannot read as for somebody, and says no", async () => {
  let hashes = 0;
  const counted = createPasswords({ cost: CHEAP, lane: { run: (_, work) => (hashes++, work()) } });
  const hash = await counted.hash("right", ME);
  hashes = 0;
  for (const against of [hash, undefined, "", "$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA"]) {
    expect((await counted.check("wrong", against, ME)).isRight).toBe(false);
  }
  expect(hashes).toBe(4);
});

test("hashes for one who left before their turn never start", async () => {
  const narrow = createLane({ width: 1, maxWaiting: 9, maxWaitingPerCaller: 9, typicalSeconds: 1 });
  const passwords = createPasswords({ lane: narrow, cost: CHEAP });
  const leaving = new AbortController();
  const first = passwords.hash("x", ME);
  const left = passwords.hash("x", { ...ME, signal: leaving.signal });
  leaving.abort();
  await expect(left).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(await first).toMatch(/^\$scrypt\$ln=4/);
});

test("hashes no more at a time than the lane is wide", async () => {
  let [running, most] = [0, 0];
  const narrow = createLane({ width: 2, maxWaiting: 9, maxWaitingPerCaller: 9, typicalSeconds: 1 });
  const watched = createPasswords({
    cost: CHEAP,
    lane: {
      run: (requester, work) =>
        narrow.run(requester, async () => {
          most = Math.max(most, ++running);
          return work().finally(() => running--);
        }),
    },
  });
  await Promise.all(Array.from({ length: 10 }, () => watched.hash("x", ME)));
  expect(most).toBe(2);
});
