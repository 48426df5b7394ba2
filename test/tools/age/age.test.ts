// slow
import { Encrypter } from "age-encryption";
import { beforeAll, describe, expect, test } from "vitest";
import { opensWith } from "../../../tools/age/age-file.ts";
import { makeAgeKeys, writeIdentityFile } from "../../../tools/age/keys.ts";
import { lockAge, lockAgeFile, type LockAgeOptions } from "../../../tools/age/lock-age.ts";
import { unlockFile, type UnlockFileOptions } from "../../../tools/crypto/unlock-file.ts";
import { concatBytes, utf8, type Bytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { collectPieces, inPieces } from "../support/pieces.ts";

// Files that the age program 1.1.1 has made.
const BY_AGE = `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBhV0RPSHBkN29scFp4U2ww
SWNYMnRJNnB0aVUrNkRwWUpSNEJ1KytJRkJRCnUzVVVqdjd5dENNc3gzVTdOWjdt
TFhNT2NySm90bm5YNEtzNFYzSTdlencKLS0tIGtqV21sNDROWmZiOWg4bW90RHg0
YkdGUHcxN05MOVR0dDE2eVBVYysraWsKvnjKZ4B0AkBcWpZSOTeIhy985uK3DwBp
M9bq2L58kZ29NC4pOZmDAX1dGntfOyFm85jIqO2EbCA=
-----END AGE ENCRYPTED FILE-----
`;
const IDENTITY = `# public key: age12t45rmtg8tx4tucndgngszjs5jcpg7jwd7vzk5wmhzushy5ek3rqex6chj
AGE-SECRET-KEY-1CPDR46XKHCVHYYQV58U6W538E64HCJKZ750T4QWD8PXM7VH0ZADS3VF8F7
`;
const BY_AGE_WITH_PASSPHRASE = `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBoR3NlM2c2Q2J5ZnB6LzBj
ZlhRUFNRIDE4CkJudENac2lhTm4yVGFUcklZK1NQVyswU0dFM25VMUR0RFdCQmcy
enhOMGsKLS0tIGoycHVlcnBUTDNEWThCY2ttdUp0QTF3T3BKNEc0YVZvUFNLdWJv
Skx4ZFUKJsFaFGX2oIJ0zQYeIxKuFr8bp4DOjJ//1i5o0Fh4us46Wd6PSRpfJFvE
G6IDVgdUlTYmQI/7Ow==
-----END AGE ENCRYPTED FILE-----
`;

let keys = { identity: "", recipient: "" };
let other = keys;

beforeAll(async () => {
  keys = await makeAgeKeys();
  other = await makeAgeKeys();
});

function contentOf(length: number): Bytes {
  return Uint8Array.from({ length }, (_, i) => (7 * i) % 256);
}

async function lock(content: Bytes, options?: Partial<LockAgeOptions>): Promise<Bytes> {
  return collectPieces(lockAgeFile(content, { recipients: keys.recipient, ...options }));
}

async function unlock(file: Bytes, options?: UnlockFileOptions): Promise<Bytes> {
  const identities = keys.identity;
  const answers = [file, inPieces(file, 1000)].map((source) =>
    unlockFile(source, { identities, ...options }).then(({ bytes }) => bytes),
  );
  const [whole, streamed] = await Promise.all(answers);
  expect(streamed).toEqual(whole);
  return whole!;
}

async function codeOf(file: Bytes, options?: UnlockFileOptions): Promise<string> {
  return unlock(file, options).then(
    () => "opened",
    (error: unknown) => (error instanceof ToolFailure ? error.code : String(error)),
  );
}

describe("what the age program has made", () => {
  test("opens with an identity file as it writes them", async () => {
    const opened = await unlockFile(utf8(BY_AGE), { identities: IDENTITY, filename: "notes.txt.age" });
    expect(opened).toMatchObject({ format: "age", filename: "notes.txt" });
    expect(new TextDecoder().decode(opened.bytes)).toBe("made by the age program\n");
  });

  test("opens with its passphrase", async () => {
    const { bytes } = await unlockFile(utf8(BY_AGE_WITH_PASSPHRASE), { password: "correct horse" });
    expect(new TextDecoder().decode(bytes)).toBe("made with a passphrase\n");
  });
});

describe("a file for a recipient", () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])("of %i bytes comes back", async (length) => {
    const content = contentOf(length);
    const locked = await lock(content);
    expect(await unlock(locked)).toEqual(content);
    const [streamed, armored] = [
      await collectPieces(lockAgeFile(inPieces(content, 1000), { recipients: keys.recipient })),
      await lock(content, { armor: true }),
    ];
    expect(streamed.length).toBe(locked.length);
    expect(await unlock(armored)).toEqual(content);
    expect(await unlock(utf8(new TextDecoder().decode(armored).replaceAll("\n", "\r\n")))).toEqual(content);
  });

  test("opens for each of several recipients, with comments between them", async () => {
    const recipients = `# us\n${keys.recipient}\n\n ${other.recipient}\r\n`;
    const locked = await lock(contentOf(10), { recipients });
    expect(await unlock(locked)).toEqual(contentOf(10));
    expect(await unlock(locked, { identities: writeIdentityFile(other) })).toEqual(contentOf(10));
  });

  test("is identity_wrong for others, and identity_required without one", async () => {
    const locked = await lock(contentOf(10));
    expect(await codeOf(locked, { identities: other.identity })).toBe("identity_wrong");
    expect(await codeOf(locked, { identities: undefined })).toBe("identity_required");
    expect(await codeOf(locked, { identities: undefined, password: "x" })).toBe("identity_required");
  });

  test("takes recipients and identities in lists", async () => {
    const locked = await lock(contentOf(10), { recipients: [keys.recipient, other.recipient] });
    const { bytes } = await unlockFile(locked, { identities: [other.identity] });
    expect(bytes).toEqual(contentOf(10));
    await expect(unlockFile(locked, { identities: [] })).rejects.toMatchObject({ code: "identity_required" });
  });

  test("opens for post-quantum recipients", async () => {
    const { generateHybridIdentity, identityToRecipient } = await import("age-encryption");
    const identity = await generateHybridIdentity();
    const locked = await lock(contentOf(10), { recipients: await identityToRecipient(identity) });
    expect(await unlock(locked, { identities: identity })).toEqual(contentOf(10));
  });

  test("has no name inside, and gets one without .age", async () => {
    const locked = await lock(contentOf(1));
    const nameOf = async (filename?: string) => {
      const { filename: name } = await unlockFile(locked, { identities: keys.identity, filename });
      return name;
    };
    expect(await nameOf()).toBe("unlocked.bin");
    expect(await nameOf("tax.pdf.AGE")).toBe("tax.pdf");
    expect(await nameOf("../x.age")).toBe("x");
    expect(await nameOf(".age")).toBe("unlocked.bin");
  });
});

describe("a file with a passphrase", () => {
  let locked: Bytes;
  beforeAll(async () => void (locked = (await lockAge(contentOf(3), { password: "pässwörd" })).bytes));

  test("opens with it alone", async () => {
    expect(opensWith(locked)).toBe("password");
    // Once only, and the rest with few rounds: 2^18 take most of a second.
    expect((await unlockFile(locked, { password: "pässwörd" })).bytes).toEqual(contentOf(3));
    expect(await codeOf(locked)).toBe("password_required");
    const encrypter = new Encrypter();
    encrypter.setPassphrase("pässwörd");
    encrypter.setScryptWorkFactor(2);
    const cheap = Uint8Array.from(await encrypter.encrypt(contentOf(3)));
    expect(opensWith(cheap)).toBe("password");
    expect(await unlock(cheap, { password: "pässwörd" })).toEqual(contentOf(3));
    expect(await codeOf(cheap, { password: "passwörd" })).toBe("password_wrong");
    expect(await codeOf(cheap)).toBe("password_required");
  });

  test.each(["19", "21", "999"])(
    "that asks for 2^%s rounds is refused where fewer are allowed",
    async (factor) => {
      const changed = new TextDecoder("latin1")
        .decode(locked.subarray(0, 60))
        .replace(/ 18\n/, ` ${factor}\n`);
      const bytes = Uint8Array.from(changed + "\n", (character) => character.charCodeAt(0)).subarray(
        0,
        changed.length,
      );
      const file = concatBytes(bytes, locked.subarray(60));
      expect(await codeOf(file, { password: "pässwörd", maxWorkFactor: 18 })).toBe("too_complex");
    },
  );
});

describe("a file that was changed", () => {
  test("is damaged wherever it was cut, and gives nothing", async () => {
    const locked = await lock(contentOf(131_072));
    const header = new TextDecoder("latin1").decode(locked).indexOf("\n", 130) + 1;
    const cuts = [
      22,
      60,
      header - 1,
      header,
      header + 15,
      header + 16,
      header + 31,
      header + 16 + 65_552,
      -1,
    ];
    for (const cut of cuts) expect([cut, await codeOf(locked.slice(0, cut))]).toEqual([cut, "damaged_file"]);
  });

  test("is damaged by any bit", async () => {
    const locked = await lock(contentOf(70_000));
    for (const at of [30, 60, 100, 150, 190, 300, 65_000, 66_000, locked.length - 1]) {
      const changed = locked.slice();
      changed[at]! ^= 4;
      expect([at, await codeOf(changed)]).toEqual([
        at,
        expect.stringMatching(/^(damaged_file|identity_wrong)$/),
      ]);
    }
    expect(await codeOf(concatBytes(locked, Uint8Array.of(0)))).toBe("damaged_file");
  });

  test("is of an unknown version, and not damaged, where its first line says so", async () => {
    const locked = await lock(contentOf(1));
    locked[20] = "2".charCodeAt(0);
    expect(await codeOf(locked)).toBe("unsupported_feature");
  });
});

describe("a header", () => {
  const stanza =
    "-> X25519 aWDOHpd7olpZxSl0IcX2tI6ptiU+6DpYJR4Bu++IFBQ\nu3UUjv7ytCMsx3U7NZ7mLXMOcrJotnnX4Ks4V3I7ezw\n";
  const headerOf = (stanzas: string) =>
    utf8(
      `age-encryption.org/v1\n${stanzas}--- kjWml44NZfb9h8motDx4bGFPw17NL9Ttt16yPUc++ik\n${"x".repeat(40)}`,
    );

  test("with more recipients than keys are tried on is refused before one is", async () => {
    // 10,000 tries take seconds, so they are not made of pieces too.
    const most = unlockFile(headerOf(stanza.repeat(10_000)), { identities: keys.identity });
    await expect(most).rejects.toMatchObject({ code: "identity_wrong" });
    expect(await codeOf(headerOf(stanza.repeat(10_001)))).toBe("too_complex");
    const two = { identities: `${keys.identity}\n${other.identity}` };
    expect(await codeOf(headerOf(stanza.repeat(5001)), two)).toBe("too_complex");
  });

  test("without an end is not read without end", async () => {
    expect(await codeOf(headerOf(`-> ${"x".repeat(2 ** 21)}\n`))).toBe("too_complex");
    expect(await codeOf(utf8(`age-encryption.org/v1\n-> X25519 ${"\n".repeat(1000)}`))).toBe("damaged_file");
  });
});

describe("keys that are wrong", () => {
  const failureOf = (options: Partial<LockAgeOptions>) => {
    try {
      lockAgeFile(new Uint8Array(0), options);
    } catch (error) {
      return error as ToolFailure;
    }
    throw new Error("They were taken");
  };

  test.each([
    ["AGE-SECRET-KEY-1CPDR46XKHCVHYYQV58U6W538E64HCJKZ750T4QWD8PXM7VH0ZADS3VF8F7", "is a secret identity"],
    ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE", "is an SSH key"],
    ["age12t45rmtg8tx4tucndgngszjs5jcpg7jwd7vzk5wmhzushy5ek3rqex6chx", "cut or mistyped"],
    ["age1", "cut or mistyped"],
    ["somebody@example.org", "begins with age1"],
  ])("as recipients name their line and not themselves: %s", (line, words) => {
    const failure = failureOf({ recipients: `# first\n${keys.recipient}\n${line}` });
    expect(failure).toMatchObject({
      code: "invalid_parameter",
      fields: { parameter: "recipients", line: 3 },
    });
    expect(failure.message).toContain(words);
    expect(failure.message).not.toContain(line);
  });

  test.each([
    ["age12t45rmtg8tx4tucndgngszjs5jcpg7jwd7vzk5wmhzushy5ek3rqex6chj", "is a public key"],
    ["AGE-PLUGIN-YUBIKEY-1", "of a plugin"],
    ["-----BEGIN OPENSSH PRIVATE KEY-----", "is an SSH key"],
    ["-----BEGIN AGE ENCRYPTED FILE-----", "encrypted identity"],
    ["AGE-SECRET-KEY-1CPDR46", "cut or mistyped"],
    ["hunter2", "is not an identity"],
  ])("as identities name their line and not themselves: %s", async (line, words) => {
    const locked = await lock(contentOf(1));
    const failure = await unlockFile(locked, { identities: `\n${line}\n` }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "invalid_parameter",
      fields: { parameter: "identities", line: 2 },
    });
    expect((failure as Error).message).toContain(words);
    expect((failure as Error).message).not.toContain(line);
  });

  test("are too many, none, both, or of two kinds", async () => {
    const { generateHybridIdentity, identityToRecipient } = await import("age-encryption");
    const quantum = await identityToRecipient(await generateHybridIdentity());
    expect(failureOf({}).code).toBe("missing_parameter");
    for (const recipients of ["# nobody\n", []])
      expect(failureOf({ recipients }).code).toBe("missing_parameter");
    expect(failureOf({ recipients: keys.recipient, password: "x" }).code).toBe("invalid_parameter");
    expect(failureOf({ recipients: `${keys.recipient}\n${quantum}` }).message).toContain("post-quantum");
    expect(failureOf({ recipients: `${keys.recipient}\n`.repeat(1001) }).message).toContain("1000");
  });
});

describe("an armor that is wrong names its line", () => {
  const lines = BY_AGE.split("\n");
  const withLine = (index: number, line: string) => lines.with(index, line).join("\n");

  test.each([
    ["a line that is cut", withLine(2, lines[2]!.slice(0, 60)), 3],
    ["a line that is longer", withLine(2, `${lines[2]}AAAA`), 3],
    ["another character", withLine(3, lines[3]!.replace("T", "*")), 4],
    ["an empty line", withLine(3, ""), 4],
    ["padding within", withLine(2, `${lines[2]!.slice(0, 63)}=`), 3],
    ["bits behind the last byte", withLine(5, lines[5]!.replace("A=", "B=")), 6],
    ["no end", lines.slice(0, 6).join("\n"), 6],
    ["something after it", `${BY_AGE}more`, 8],
    ["a line without end", withLine(3, "A".repeat(100_000)), 4],
  ])("%s", async (_, text, line) => {
    const failure = await unlockFile(utf8(text), { identities: IDENTITY }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "damaged_file", fields: { line } });
  });

  test("white space around it is none of it", async () => {
    const file = utf8(`\r\n \t${" ".repeat(900)}${BY_AGE}\n \n`);
    expect(opensWith(file)).toBe("identities");
    expect(opensWith(utf8(BY_AGE_WITH_PASSPHRASE))).toBe("password");
    expect((await unlockFile(file, { identities: IDENTITY })).bytes.length).toBe(24);
  });
});
