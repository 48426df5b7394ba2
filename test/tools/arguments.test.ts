// The functions of @hushkit/tools as a program without types calls them: what is wrong is told by its name.
import { describe, expect, test } from "vitest";
import * as tools from "../../tools/entries/index.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { makeBlankPdf } from "../support/samples.ts";

// None of what these calls give has the type that the function asks for.
type Loose = (...args: readonly unknown[]) => unknown;
const functions = Object.fromEntries(
  Object.entries(tools).filter(([, value]) => typeof value === "function"),
) as unknown as Readonly<Record<string, Loose>>;

const pdf = await makeBlankPdf();
const bytes = new TextEncoder().encode("abc");
const password = "hush";
const codec = { encode: async () => bytes };

/** A call that works, and its first argument by name. */
const CALLS: Readonly<Record<string, readonly [parameter: string, ...args: readonly unknown[]]>> = {
  cleanPdf: ["file", pdf],
  compressPdf: ["file", pdf, { codec }],
  lockPdf: ["file", pdf, { password }],
  mergePdf: ["files", [{ data: pdf }]],
  rotatePdf: ["file", pdf],
  splitPdf: ["file", pdf],
  unlockPdf: ["file", pdf],
  convertImage: ["file", bytes, { codec, format: "png" }],
  stripMetadata: ["file", bytes],
  compareTexts: ["texts", { a: "a", b: "b" }],
  hashFile: ["file", bytes],
  lockFile: ["file", bytes, { password }],
  lockAgeFile: ["file", bytes, { password }],
  unlockFile: ["file", bytes, { password }],
  loadWordList: ["name", "short"],
};

async function failureOf(name: string, ...args: readonly unknown[]): Promise<ToolFailure> {
  try {
    const result = await functions[name]?.(...args);
    throw new Error(`${name} took it: ${JSON.stringify(result)}`);
  } catch (error) {
    expect(error).toBeInstanceOf(ToolFailure);
    return error as ToolFailure;
  }
}

describe.each(Object.entries(CALLS))("%s", (name, [parameter, , ...others]) => {
  test.each([[undefined], [null], [5], ["text"], [true], [Symbol("a")], [() => bytes]])(
    "refuses %s in the first place by its name",
    async (wrong) => {
      const failure = await failureOf(name, wrong, ...others);
      expect(failure.fields["parameter"]).toBe(parameter);
      expect(failure.code).toBe(wrong === undefined ? "missing_parameter" : "invalid_parameter");
    },
  );
});

const WITH_OPTIONS = Object.entries(CALLS).filter(
  ([name]) => !["stripMetadata", "loadWordList"].includes(name),
);

describe.each(WITH_OPTIONS)("%s", (name, [, first, ...others]) => {
  test.each([[null], [5], ["text"], [[]], [bytes]])("refuses %s as options", async (wrong) => {
    const { code, fields } = await failureOf(name, first, wrong);
    expect([code, fields["parameter"]]).toEqual(["invalid_parameter", "options"]);
  });

  test("refuses an option that it does not know, and tells those that it knows", async () => {
    const { code, fields } = await failureOf(name, first, { ...Object(others[0]), pass: "word" });
    expect([code, fields["parameter"]]).toEqual(["invalid_parameter", "pass"]);
    expect(fields["allowed"]).not.toHaveLength(0);
  });
});

test.each(["lockedFileName", "ageFileName"])("%s refuses a name that is no text", async (name) => {
  for (const wrong of [null, 5, bytes, {}]) {
    const { code, fields } = await failureOf(name, wrong);
    expect([code, fields["parameter"]]).toEqual(["invalid_parameter", "filename"]);
  }
});

test.each(["hashFile", "lockFile", "unlockFile", "rotatePdf"])(
  "%s refuses other objects as a file",
  async (name) => {
    for (const wrong of [{}, [], new Date(0), new DataView(bytes.buffer), new Response("a")])
      expect((await failureOf(name, wrong, { password })).fields["parameter"]).toBe("file");
  },
);

test("an ArrayBuffer is refused with the way to give it", async () => {
  for (const name of ["hashFile", "rotatePdf", "lockFile"])
    expect((await failureOf(name, bytes.buffer, { password })).message).toContain("new Uint8Array(");
});

describe("what a tool needs is missing", () => {
  test.each([
    ["lockFile", "password", bytes],
    ["lockAgeFile", "recipients", bytes],
    ["lockPdf", "password", pdf],
    ["compressPdf", "codec", pdf],
    ["convertImage", "format", bytes],
  ])("%s names %s", async (name, parameter, file) => {
    for (const options of [undefined, {}]) {
      const { code, fields } = await failureOf(name, file, options);
      expect([code, fields["parameter"]]).toEqual(["missing_parameter", parameter]);
    }
  });
});

describe("a value that is none of those that an option may have", () => {
  test.each<[name: string, parameter: string, ...args: unknown[]]>([
    ["rotatePdf", "angle", pdf, { angle: 45 }],
    ["rotatePdf", "angle", pdf, { angle: "90" }],
    ["rotatePdf", "angle", pdf, { angle: NaN }],
    ["rotatePdf", "range", pdf, { range: 5 }],
    ["rotatePdf", "maxBytes", pdf, { maxBytes: NaN }],
    ["splitPdf", "mode", pdf, { mode: "x" }],
    ["splitPdf", "count", pdf, { mode: "every", count: "a" }],
    ["splitPdf", "count", pdf, { mode: "every", count: 0 }],
    ["splitPdf", "bytes", pdf, { mode: "size", bytes: -1 }],
    ["mergePdf", "files[0]", [pdf]],
    ["mergePdf", "files[0].data", [{}]],
    ["mergePdf", "files[1].pages", [{ data: pdf }, { data: pdf, pages: "1" }]],
    ["mergePdf", "files[1].range", [{ data: pdf }, { data: pdf, range: 1 }]],
    ["mergePdf", "fit", [{ data: pdf }], { fit: "x" }],
    ["cleanPdf", "remove", pdf, { remove: "metadata" }],
    ["cleanPdf", "remove", pdf, { remove: ["x"] }],
    ["lockPdf", "allow", pdf, { password, allow: "print" }],
    ["lockPdf", "password", pdf, { password: 5 }],
    ["convertImage", "format", bytes, { codec, format: "gif" }],
    ["convertImage", "quality", bytes, { codec, format: "webp", quality: 0 }],
    ["convertImage", "codec", bytes, { codec: 5, format: "webp" }],
    ["compareTexts", "b", { a: "a" }],
    ["compareTexts", "ignoreCase", { a: "a", b: "b", ignoreCase: true }],
    ["compareTexts", "texts", "a", "b"],
    ["compareTexts", "granularity", { a: "a", b: "b" }, { granularity: "x" }],
    ["compareTexts", "format", { a: "a", b: "b" }, { format: "x" }],
    ["hashFile", "algorithms", bytes, { algorithms: ["md6"] }],
    ["hashFile", "algorithms", bytes, { algorithms: ["toString"] }],
    ["hashFile", "algorithms", bytes, { algorithms: "sha256" }],
    ["hashFile", "expected", bytes, { expected: 5 }],
    ["hashFile", "createHasher", bytes, { createHasher: null }],
    ["lockFile", "password", bytes, { password: 5 }],
    ["lockAgeFile", "recipients", bytes, { recipients: [5] }],
    ["unlockFile", "identities", bytes, { identities: 5 }],
    ["generatePasswords", "mode", { mode: "x" }],
    ["generatePasswords", "symbolSet", { symbolSet: 5 }],
    ["generateFromList", "list", { mode: "words", list: "x" }],
    ["loadWordList", "name", "x"],
  ])("%s names %s", async (name, parameter, ...args) => {
    const { code, fields } = await failureOf(name, ...args);
    expect(fields["parameter"]).toBe(parameter);
    expect(code).toMatch(/^(?:invalid|missing)_parameter$/);
  });

  test.each<[name: string, sentence: string, ...args: unknown[]]>([
    [
      "compareTexts",
      'no field "ignoreCase" in "texts"; there are a, b',
      { a: "a", b: "b", ignoreCase: true },
    ],
    [
      "compareTexts",
      'no option "ignorecase"; there are granularity, ',
      { a: "", b: "" },
      { ignorecase: true },
    ],
    ["mergePdf", 'no field "pages" in "files[0]"; there are data, range, ', [{ data: pdf, pages: "1" }]],
  ])("%s says that there is %s", async (name, sentence, ...args) => {
    expect((await failureOf(name, ...args)).message).toContain(`There is ${sentence}`);
  });
});
