import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBundle } from "../../../tools/bundle/make-bundle.ts";
import { readBundle } from "../../../tools/bundle/read-bundle.ts";
import { utf8, type Bytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { testWith } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { collectPieces, inPieces } from "../support/pieces.ts";

async function read(bytes: Bytes): Promise<string[]> {
  const names: string[] = [];
  for await (const part of readBundle(bytes)) names.push(part.is === "file" ? part.name : "(message)");
  return names;
}

/** What Python's zipfile is told to write into `z`, and the names that are read, or how it is refused. */
const BY_PYTHON: readonly [code: string, names: readonly string[] | { code: string; message: string }][] = [
  ["z.writestr('a', b'1'); z.writestr('b', b'2')", ["a", "b"]],
  ["z.writestr('message.txt', b'hello'); z.writestr('\\u00fc', b'2')", ["(message)", "ü"]],
  ["f = z.open('large', 'w', force_zip64=True); f.write(b'1' * 70000); f.close()", ["large"]],
  ["z.writestr('x/../../y.txt', b'1')", ["y.txt"]],
  ["[z.writestr(str(i), b'1') for i in range(21)]", Array.from({ length: 21 }, (_, i) => `${i}`)],
  ["[z.writestr(str(i), b'1') for i in range(22)]", refused("too_many_files", "22 files are too many")],
  ["z.writestr('a', b'1' * 99, 8)", refused("unsupported_feature", "compressed by method 8")],
  ["z.writestr('a/', b'')", refused("unsupported_feature", "it has folders")],
  ["z.writestr('a', b'1'); z.comment = b'x'", refused("unsupported_feature", "it has a comment")],
  [
    "i = o('a'); i.comment = b'x'; z.writestr(i, b'1')",
    refused("unsupported_feature", "an entry has a comment"),
  ],
  [
    "z.writestr('a', b'1'); z.writestr('a', b'2')",
    refused("damaged_file", "two of its entries have one name"),
  ],
  [
    "z.writestr('a/x', b'1'); z.writestr('b/X', b'2')",
    refused("damaged_file", "two of its entries have one name"),
  ],
  [
    "z.writestr('a', b'1'); z.writestr('message.txt', b'2')",
    refused("damaged_file", "its message is not the first"),
  ],
  ["z.writestr('message.txt', b'\\xff')", refused("damaged_file", "its message is not UTF-8")],
  ["z.writestr('message.txt', b'1' * 2000001)", refused("text_too_large", "2000001 bytes")],
  ["pass", refused("not_a_container", "does not begin as a ZIP")],
];

function refused(code: string, message: string) {
  return { code, message };
}

const WRITE_ALL = `
import sys, warnings, zipfile
warnings.simplefilter("ignore")
for at, code in enumerate(sys.argv[2:]):
    with zipfile.ZipFile(f"{sys.argv[1]}/{at}.zip", "w") as z:
        exec(code, {"z": z, "o": zipfile.ZipInfo})
`;
import { fc, runs } from "../../support/properties.ts";

testWith("python3")(
  "reads what Python stores, and refuses in words what a bundle does not allow",
  async () => {
    const folder = makeTempFolder();
    execFileSync("python3", ["-c", WRITE_ALL, folder, ...BY_PYTHON.map(([code]) => code)]);
    for (const [at, [code, expected]] of BY_PYTHON.entries()) {
      const names = await read(new Uint8Array(readFileSync(join(folder, `${at}.zip`)))).catch(
        (error: unknown) => {
          if (error instanceof ToolFailure) return refused(error.code, error.message);
          throw error;
        },
      );
      const isRefused = "message" in expected;
      const words = isRefused
        ? { ...expected, message: expect.stringContaining(expected.message) }
        : expected;
      expect([code, names]).toEqual([code, words]);
    }
  },
);

const file = (name: string, text: string) => ({
  name,
  size: text.length,
  read: () => inPieces(utf8(text), 100),
});
const made = await makeBundle([file("a.txt", "one"), file("b.txt", "two")]);
const GOOD = await collectPieces(made.pieces());

/** Where things stand in it: a header of 30 bytes, a name of 5 and a content of 3, twice; then the directory. */
const [SECOND, DIRECTORY] = [38, 76];
const SECOND_IN_DIRECTORY = DIRECTORY + 51;
const END = SECOND_IN_DIRECTORY + 51;

function changed(...changes: [at: number, ...bytes: number[]][]): Bytes {
  const bytes = GOOD.slice();
  for (const [at, ...values] of changes) bytes.set(values, at);
  return bytes;
}

test.each<[string, Bytes, string]>([
  ["is encrypted", changed([6, 1]), "encrypted"],
  ["tells sizes behind its content", changed([6, 8]), "only behind its content"],
  ["has flags that nobody knows", changed([6, 0, 0x20]), "flags 0x2000"],
  ["is compressed", changed([8, 8]), "compressed by method 8"],
  ["has a wrong checksum", changed([14, 0]), "checksum of an entry is wrong"],
  ["has another content", changed([35, 0x4f]), "checksum of an entry is wrong"],
  ["says two sizes", changed([18, 2]), "two sizes"],
  ["says a smaller size", changed([18, 2], [22, 2]), "checksum"],
  ["says a larger size", changed([18, 200, 1], [22, 200, 1]), "too early"],
  ["has no place for a size", changed([18, 255, 255, 255, 255]), "missing"],
  ["has a name that is not UTF-8", changed([30, 0xff]), "not UTF-8"],
  ["lists an entry at the place of another one", changed([SECOND_IN_DIRECTORY + 42, 0]), "other entries"],
  ["lists another name", changed([DIRECTORY + 46, 0x63]), "other entries"],
  ["lists another size", changed([DIRECTORY + 20, 1], [DIRECTORY + 24, 1]), "other entries"],
  ["lists another checksum", changed([DIRECTORY + 16, 0]), "other entries"],
  ["lists fewer entries", changed([END, 0x50, 0x4b, 3, 4]), ""],
  ["says another number of entries", changed([END + 8, 1]), "elsewhere"],
  ["says another place of its list", changed([END + 16, 0]), "elsewhere"],
  ["says another length of its list", changed([END + 12, 1]), "elsewhere"],
  ["hides its place though there is no Zip64", changed([END + 16, 255, 255, 255, 255]), "elsewhere"],
  ["is one of several parts", changed([END + 4, 1]), "elsewhere"],
  ["goes on after its end", Uint8Array.from([...GOOD, 0]), "more bytes follow its end"],
  ["begins with something else", Uint8Array.from([0, ...GOOD]), "does not begin as a ZIP"],
  ["has a gap", Uint8Array.from([...GOOD.subarray(0, SECOND), 0, ...GOOD.subarray(SECOND)]), "not whole"],
])("refuses a bundle that %s", async (_, bytes, words) => {
  await expect(read(bytes)).rejects.toThrow(words);
});

test("refuses a bundle that is cut anywhere", async () => {
  for (let length = 0; length < GOOD.length; length++)
    await expect(read(GOOD.slice(0, length))).rejects.toBeInstanceOf(ToolFailure);
});

test("refuses two files of one bytes' place", async () => {
  // The first entry says that it ends where the second one does, whose header is then part of its content.
  const bytes = changed([18, 41], [22, 41], [DIRECTORY + 20, 41], [DIRECTORY + 24, 41]);
  await expect(read(bytes)).rejects.toMatchObject({ code: "damaged_file" });
});

test("answers any change of any bytes with a refusal in words, or with the same names", async () => {
  const change = fc.tuple(fc.nat(GOOD.length - 1), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const names = await read(changed(...changes)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ToolFailure);
      });
      if (names) expect(names).toHaveLength(2);
    }),
    runs(2000),
  );
});
