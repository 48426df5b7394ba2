import { describe, expect, test } from "vitest";
import { nameAfter } from "../../tools/file/derived-name.ts";
import { cleanFileName, MAX_FILE_NAME_BYTES } from "../../tools/file/file-name.ts";
import { utf8 } from "../../wire/bytes.ts";

const pdf = { extension: "pdf", fallback: "unlocked.pdf" };

describe("a file name", () => {
  test.each([
    ["report.pdf", "report.pdf"],
    ["résumé 2026.pdf", "résumé 2026.pdf"],
    ["re\u0301sume\u0301.pdf", "résumé.pdf"],
    ["日本語 🔑.pdf", "日本語 🔑.pdf"],
    [".bashrc", "bashrc"],
    ["a.b.c", "a.b.c"],
  ])("%j is saved as %j", (name, cleaned) => {
    expect(cleanFileName(name)).toBe(cleaned);
  });

  test.each([
    ["..\\..\\etc\\passwd", "passwd"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\me\\a.txt", "a.txt"],
    ["C:a.txt", "C_a.txt"],
    ["/a\\b/c", "c"],
    ["a.txt:stream", "a.txt_stream"],
    ["./.\u200b./x", "x"],
  ])("%j loses its folders", (name, cleaned) => {
    expect(cleanFileName(name)).toBe(cleaned);
  });

  test.each([
    ["a\r\nSet-Cookie: x=1.txt", "aSet-Cookie_ x=1.txt"],
    ["a\0b\x1b[31m\x7f\x85.txt", "ab[31m.txt"],
    ["invoice\u202egpj.exe", "invoicegpj.exe"],
    ["a\u2066b\u2069\u200e\u061c.txt", "ab.txt"],
    ["a\u200b\u200d\u2060\ufeff\u00ad.txt", "a.txt"],
    ["a\u2028b\u2029.txt", "ab.txt"],
    ["a\u{e0041}\u{e007f}\u3164.txt", "a.txt"],
    ["a\ud800b\udc00.txt", "ab.txt"],
    ["a\ufffe\ufff9\ufffb.txt", "a.txt"],
    // The joiner between a letter and its accent keeps the first normalisation from composing them.
    ["e\u034f\u0301.txt", "é.txt"],
  ])("%j loses what cannot be seen", (name, cleaned) => {
    expect(cleanFileName(name)).toBe(cleaned);
  });

  test.each([
    // A woman with a laptop, a family, a heart on fire, and a heart as a picture.
    "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}.txt",
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467} 2026.jpg",
    "\u2764\ufe0f\u200d\u{1f525}",
    "\u2764\ufe0f.txt",
  ])("%j keeps its joined emoji", (name) => {
    expect(cleanFileName(name)).toBe(name);
  });

  test.each([
    ["\u{1f4bb}\u200d.txt", "\u{1f4bb}.txt"],
    ["\u200d\u{1f4bb}a\u200d\u{1f4bb}.txt", "\u{1f4bb}a\u{1f4bb}.txt"],
    // 251 bytes are left before .txt, and an emoji of four bytes is the 63rd.
    [`${"\u{1f4bb}\u200d".repeat(60)}\u{1f4bb}.txt`, `${"\u{1f4bb}\u200d".repeat(35)}\u{1f4bb}.txt`],
  ])("%j keeps no joiner that joins nothing", (name, cleaned) => {
    expect(cleanFileName(name)).toBe(cleaned);
  });

  test.each([
    [".env", ".env"],
    [".env.local", ".env.local"],
    [" .env ", ".env"],
    ["..env", "env"],
    [". env", "env"],
    ["..", "file"],
    [".", "file"],
    ["../.npmrc", ".npmrc"],
  ])("%j of one's own is saved as %j", (name, cleaned) => {
    expect(cleanFileName(name, { keepsDot: true })).toBe(cleaned);
  });

  test("gets an underscore for each sign that Windows forbids", () => {
    expect(cleanFileName('a<b>c:d"e|f?g*h')).toBe("a_b_c_d_e_f_g_h");
  });

  test.each(["", "   ", "...", " . . ", "/", "a/", "\u202e", "\u200b.", "\u00a0\u3000"])(
    "falls back where nothing is left of %j",
    (name) => {
      expect(cleanFileName(name, pdf)).toBe("unlocked.pdf");
      expect(cleanFileName(name)).toBe("file");
    },
  );

  test.each([
    ["CON", "_CON"],
    ["con.txt", "_con.txt"],
    ["Aux .tar.gz", "_Aux .tar.gz"],
    ["NUL.", "_NUL"],
    ["com1", "_com1"],
    ["COM\u00b9.txt", "_COM\u00b9.txt"],
    ["lpt9.a", "_lpt9.a"],
    ["CONIN$", "_CONIN$"],
    ["console.txt", "console.txt"],
    ["com10", "com10"],
    ["my con.txt", "my con.txt"],
    ["prn-1.txt", "prn-1.txt"],
  ])("%j does not open a Windows device", (name, cleaned) => {
    expect(cleanFileName(name)).toBe(cleaned);
  });

  test("takes no longer than its length asks on a long run of dots", () => {
    expect(cleanFileName(".".repeat(1_000_000) + "x" + " .".repeat(500_000))).toBe("x");
  });
});

describe("the extension of a result", () => {
  test.each([
    ["report.pdf", "report.pdf"],
    ["REPORT.PDF", "REPORT.PDF"],
    ["name.png", "name.pdf"],
    ["name.JPEG", "name.pdf"],
    ["..\\..\\etc\\passwd", "passwd.pdf"],
    ["version 1.2", "version 1.2.pdf"],
    ["a.tar.gz", "a.tar.pdf"],
    ["scan.pdf.png", "scan.pdf"],
    ["a ..png", "a.pdf"],
    ["a..pdf", "a..pdf"],
    ["pdf", "pdf.pdf"],
    [".pdf", "pdf.pdf"],
    ["CON.png", "_CON.pdf"],
    ["CON\u3000.locked", "_CON.pdf"],
    [`con${"\u3000".repeat(100)}x.pdf`, "_con.pdf"],
    [`con${" ".repeat(248)}.pdf`, "_con.pdf"],
    ["a.pdf.", "a.pdf"],
  ])("of %j is pdf: %j", (name, cleaned) => {
    expect(cleanFileName(name, pdf)).toBe(cleaned);
  });

  test("may be spelled in both ways for a JPEG", () => {
    expect(cleanFileName("a.jpeg", { extension: "jpg" })).toBe("a.jpeg");
    expect(cleanFileName("a.jpg", { extension: "jpeg" })).toBe("a.jpg");
    expect(cleanFileName("a.webp", { extension: "jpg" })).toBe("a.jpg");
  });

  test("is given to a fallback that has none", () => {
    expect(cleanFileName("", { extension: "webp", fallback: "image" })).toBe("image.webp");
  });
});

describe("a long name", () => {
  const ends = { "one byte": "a", "two bytes": "é", "three bytes": "語", "four bytes": "🔑" };

  for (const [title, letter] of Object.entries(ends)) {
    const size = utf8(letter).length;
    const nameOf = (bytes: number) =>
      letter.repeat(Math.floor((bytes - 4) / size)) + "x".repeat((bytes - 4) % size) + ".pdf";

    test(`of letters of ${title} is left alone at 254 and 255 bytes`, () => {
      expect(cleanFileName(nameOf(254), pdf)).toBe(nameOf(254));
      expect(cleanFileName(nameOf(255), pdf)).toBe(nameOf(255));
    });

    test.each([256, 257, 258, 259, 1000])(
      `of letters of ${title} is cut between letters at %i bytes`,
      (bytes) => {
        const kept = Math.floor((MAX_FILE_NAME_BYTES - 4) / size);
        expect(cleanFileName(nameOf(bytes), pdf)).toBe(letter.repeat(kept) + ".pdf");
      },
    );
  }

  test("keeps the extension it came with when none is asked for", () => {
    expect(cleanFileName("a".repeat(300) + ".Tar")).toBe("a".repeat(251) + ".Tar");
    expect(cleanFileName("a".repeat(300))).toBe("a".repeat(255));
    expect(cleanFileName("a." + "b".repeat(300))).toBe("a." + "b".repeat(253));
  });

  test("does not come to end in a dot or a blank by the cut", () => {
    expect(cleanFileName("a".repeat(249) + ". ..b.pdf", pdf)).toBe("a".repeat(249) + ".pdf");
    expect(cleanFileName("a".repeat(254) + " b")).toBe("a".repeat(254));
  });
});

describe("the name of a result", () => {
  const rotated = { suffix: "-rotated", extension: "pdf" };

  test.each([
    ["scan.pdf", "scan-rotated.pdf"],
    ["re\u0301sume\u0301.PDF", "résumé-rotated.pdf"],
    ["photo.heic", "photo-rotated.pdf"],
    ["a.b.c", "a.b-rotated.pdf"],
    ["Notes of 1.5 pages", "Notes of 1.5 pages-rotated.pdf"],
    ["C:\\fakepath\\scan.pdf", "scan-rotated.pdf"],
    ["../../con.pdf", "_con-rotated.pdf"],
    ["\u202efdp.exe", "fdp-rotated.pdf"],
    ["...", "file-rotated.pdf"],
  ])("of %j is %j", (source, name) => {
    expect(nameAfter(source, rotated)).toBe(name);
  });

  test("keeps the suffix where the name of the source is as long as a name may be", () => {
    const name = nameAfter(`${"ä".repeat(200)}.pdf`, rotated);
    expect(name).toMatch(/^ä+-rotated\.pdf$/);
    expect(utf8(name).length).toBeLessThanOrEqual(MAX_FILE_NAME_BYTES);
  });
});
