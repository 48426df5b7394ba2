// browser
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SERVER_WORDS } from "../../adapters/service/pages/texts.ts";
import { LANGUAGES } from "../../web/app/language/words.ts";
import { warningCodes, WARNINGS } from "../../wire/tool-warning.ts";
import {
  fillFromEnglish,
  groupForms,
  isGroup,
  listLanguages,
  missingWords,
  readWords,
  type Texts,
} from "../../web/build/words.ts";
import { startHarness } from "../support/harness.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "./support/browser.ts";
import { buildPages } from "./support/served.ts";

const languages = listLanguages();

/** The forms of a text; one that is no plural has one without a name. */
type Forms = Readonly<Record<string, string>>;

/** Texts by path, the forms of a plural together. */
function textsOf(words: Texts, path = ""): Map<string, Forms> {
  const entries = Object.entries(words).flatMap(([key, value]): (readonly [string, Forms])[] => {
    if (typeof value === "string") return [[path + key, { "": value }]];
    if (isGroup(value)) return [...textsOf(value, `${path}${key}.`)];
    return [[path + key, Object.fromEntries(Object.entries(value).map(([form, text]) => [form, `${text}`]))]];
  });
  return new Map(entries);
}

function placeholdersOf(forms: Forms = {}): string[] {
  const texts = Object.values(forms);
  return [...new Set(texts.flatMap((text) => text.match(/\{\{\w+\}\}/g) ?? []))].sort();
}

const english = textsOf(readWords("en"));

function shownTexts(language: string): Map<string, Forms> {
  return textsOf(fillFromEnglish(readWords(language), readWords("en")));
}

test("offers every language that has a file, and no other", () => {
  expect(Object.keys(LANGUAGES).sort()).toEqual([...languages].sort());
});

/** What stands on a control, and its name, which says besides what it is about. */
const NAMES = [
  ["app.theme.label", "app.theme.change"],
  ["common.cancel", "account.requests.cancelLabel"],
  ["common.save", "delivery.saveNamed"],
  ["common.save", "files.saveOne"],
  ["shared.delete", "shared.deleteFor"],
  ["account.secrets.delete", "account.secrets.deleteLabel"],
  ["account.secrets.delete", "account.passkeys.deleteLabel"],
  ["account.identities.delete", "account.identities.deleteLabel"],
  ["account.tokens.revoke", "account.tokens.revokeLabel"],
  ["account.sessions.end", "account.sessions.endLabel"],
  ["admin.manage", "admin.manageLabel"],
] as const;

describe.each(languages)("the words in %s", (language) => {
  // WCAG 2.5.3: who speaks to a browser says what they see.
  test("name a control with what is seen on it first", () => {
    const texts = shownTexts(language);
    const textOf = (key: string) => texts.get(key)?.[""]?.toLowerCase() ?? "missing";
    const others = NAMES.filter(([seen, name]) => !textOf(name).startsWith(textOf(seen)));
    expect(others).toEqual([]);
  });

  test("are some of the English ones, with their placeholders", () => {
    const texts = textsOf(readWords(language));
    expect([...texts.keys()].filter((key) => !english.has(key))).toEqual([]);
    for (const [path, forms] of texts) {
      expect([path, placeholdersOf(forms)]).toEqual([path, placeholdersOf(english.get(path))]);
    }
  });

  test("say every warning by fields that it has, and no other", () => {
    const texts = shownTexts(language);
    const said = [...texts.keys()].filter((path) => path.startsWith("warnings."));
    expect(said.sort()).toEqual(warningCodes.map((code) => `warnings.${code}`).sort());
    for (const code of warningCodes) {
      const fields = placeholdersOf(texts.get(`warnings.${code}`)).map((each) => each.slice(1, -1));
      expect([code, fields.filter((field) => !WARNINGS[code].includes(field))]).toEqual([code, []]);
    }
  });

  test("have every plural form of the language, where English has a plural", () => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [path, forms] of shownTexts(language)) {
      const isPlural = Object.hasOwn(english.get(path) ?? {}, "other");
      const expected = isPlural ? [...needed].sort() : [""];
      expect([path, Object.keys(forms).sort()]).toEqual([path, expected]);
    }
  });

  test("leave nothing empty or as it is in English", () => {
    const texts = textsOf(readWords(language));
    for (const [path, forms] of texts)
      expect([path, Object.values(forms).every((text) => text.trim() !== "")]).toEqual([path, true]);
    const sentences = [...texts].filter(([path, forms]) => {
      const [text = ""] = Object.values(forms);
      const [inEnglish] = Object.values(english.get(path) ?? {});
      return language !== "en" && text.split(" ").length > 3 && text === inEnglish;
    });
    expect(sentences.map(([path]) => path)).toEqual([]);
  });
});

test("in French keep signs on the line of the word before them", () => {
  const texts = [...textsOf(readWords("fr")).values()].flatMap((forms) => Object.values(forms));
  expect(texts.filter((text) => /[ \u00a0][:;!?»]|«[^\u202f]|\d[ \u00a0]\d{3}/.test(text))).toEqual([]);
});

test("that a language lacks are shown in English, and listed", () => {
  const own = groupForms({
    title: "Titel",
    pages_one: "{{count}} Seite",
    pages_other: "{{count}} Seiten",
    tool: { lead: "…", other: "Anderes" },
  });
  const all = groupForms({
    title: "Title",
    pages_other: "{{count}} pages",
    files_other: "{{count}} files",
    tool: { lead: "It", submit: "Go", other: "Other" },
    new: { a: "A" },
  });
  expect(missingWords(own, all)).toEqual(["files", "tool.submit", "new"]);
  expect(fillFromEnglish(own, all)).toEqual({
    title: "Titel",
    pages: { one: "{{count}} Seite", other: "{{count}} Seiten" },
    files: { other: "{{count}} files" },
    tool: { lead: "…", submit: "Go", other: "Anderes" },
    new: { a: "A" },
  });
});

/** A file of the pages and all that it imports, other than as a type. */
function filesFrom(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, "utf8");
  for (const [, from, lazy] of source.matchAll(
    /^import (?!type )[^;]*?"(\.[^"]+\.tsx?)"|\bimport\("(\.[^"]+)"\)/gm,
  ))
    filesFrom(fileURLToPath(new URL(from ?? lazy ?? "", pathToFileURL(file))), seen);
  return seen;
}

test("are fewer on the page behind a link, which asks for no others", () => {
  const files = [...filesFrom(fileURLToPath(new URL("../../web/link.tsx", import.meta.url)))];
  expect(files.some((file) => file.endsWith("format-failure.ts"))).toBe(true);
  const asking = files.filter((file) => /(?<!function )\bwords\(\)/.test(readFileSync(file, "utf8")));
  expect(asking).toEqual([]);
});

/** Codes that only a program can cause, whose API answers say the rest. */
const FOR_PROGRAMS = [
  "repeated_parameter",
  "invalid_json",
  "invalid_base64",
  "invalid_token",
  "unknown_tool",
  "method_not_allowed",
  "uri_too_long",
  "range_not_satisfiable",
  "idempotency_in_progress",
  "idempotency_mismatch",
  "unsupported_charset",
  "unsupported_content_encoding",
];

test("say every error that a person can meet", async () => {
  const service = await startHarness();
  onTestFinished(() => service.close());
  const response = await service.request("/api/tools");
  const { errors } = (await response.json()) as { errors: { code: string }[] };
  const codes = errors.map(({ code }) => code).filter((code) => !FOR_PROGRAMS.includes(code));
  expect(codes.filter((code) => !english.has(`errors.${code}`))).toEqual([]);
});

test("are what the server says too, where no script runs", async () => {
  expect(Object.keys(SERVER_WORDS).sort()).toEqual([...languages].sort());
  await buildPages();
  const service = await startHarness();
  onTestFinished(() => service.close());
  const titleIn = async (accept: string) => {
    const headers = { accept: "text/html", "accept-language": accept };
    const html = await (await service.request("/s/q7Zk2PfW0LxT8nBy", { headers })).text();
    return /<main[^>]*lang="(\w+)" dir="(\w+)"><h1>(.*?)<\/h1>/.exec(html)?.slice(1) ?? [html];
  };
  expect(await titleIn("de-AT, en;q=0.5")).toEqual(["de", "ltr", "Ein Geheimnis für Sie"]);
  expect(await titleIn("en;q=0.5, ar-EG")).toEqual(["ar", "rtl", "سرٌّ لك"]);
  expect(await titleIn("tlh, *;q=0.1")).toEqual(["en", "ltr", "A secret for you"]);
});

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

browserTest("speak the browser's language, and remember another choice without a cookie", async () => {
  const { page, complaints, requests } = await stage.open("/", { locale: "de-AT" });
  await page.getByRole("heading", { name: "Ein Geheimnis teilen" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(requests.filter((request) => /\/en-[\w-]+\.js/.test(request))).toEqual([]);
  await page.getByLabel("Ihr Geheimnis").fill("bleibt");
  await page.getByLabel("Sprache").selectOption("Français");
  await page.getByText("Chiffré par : Ce navigateur", { exact: true }).waitFor();
  await page.getByLabel("Langue").selectOption("English");
  await page.getByRole("heading", { name: "Share a secret" }).waitFor();
  expect(await page.getByLabel("Your secret", { exact: true }).inputValue()).toBe("bleibt");
  await page.getByLabel("Your secret", { exact: true }).fill("");
  await page.reload();
  await page.getByRole("heading", { name: "Share a secret" }).waitFor();
  expect(await page.title()).toBe("Share a secret · Hushkit");
  expect(await page.context().cookies()).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("say errors in the chosen language, from their code and fields", async () => {
  const { page } = await stage.open("/pdf-split", { locale: "de-DE" });
  const choose = (text: string) =>
    page
      .locator("main input[type=file]")
      .setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from(text) });
  await choose("this is no PDF");
  await page.getByRole("alert").getByText("Kein PDF und daher nicht übernommen: a.pdf").waitFor();
  await choose("%PDF-1.7 and nothing more");
  await page.getByText("Eine Datei pro Seite").click();
  const damaged = page.getByRole("alert").getByText("Diese Datei ist beschädigt. Bitte nehmen");
  // By the look into it, and by the work in its place.
  await damaged.waitFor();
  await page.getByRole("button", { name: "Aufteilen" }).click();
  await expect.poll(() => page.getByRole("alert").count()).toBe(1);
  await damaged.waitFor();
});

browserTest("say warnings in the chosen language, and of which file, here and from the server", async () => {
  const { page, complaints } = await stage.open("/pdf-merge", { locale: "de-DE" });
  const files = ["", "/Threads[]"].map((extra, i) => {
    return { name: `${i}.pdf`, mimeType: "application/pdf", buffer: Buffer.from(pagesPdf(1, { extra })) };
  });
  await page.locator("main input[type=file]").setInputFiles(files);
  const warning = page.getByText("1.pdf: Artikelverkettungen wurden weggelassen.", { exact: true });
  for (const place of ["In diesem Browser", "Auf dem Server"]) {
    await page.getByText(place, { exact: true }).click();
    await page.getByRole("button", { name: "2 Dateien zusammenfügen" }).click();
    await warning.waitFor();
    await page
      .locator(".merge li")
      .first()
      .getByRole("textbox")
      .fill(place.startsWith("In") ? "1" : "");
    await page.getByRole("button", { name: "Ergebnis verwerfen" }).click();
    await warning.waitFor({ state: "detached" });
  }
  expect(complaints).toEqual([]);
});

browserTest("run from right to left in Arabic, and code from left to right", async () => {
  const { page, complaints } = await stage.open("/", { locale: "ar-EG" });
  await page.getByRole("heading", { name: "مشاركة سرّ" }).waitFor();
  expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
  const [first, last] = await Promise.all([
    page.locator("nav").boundingBox(),
    page.locator(".me").boundingBox(),
  ]);
  expect(first?.x ?? 0).toBeGreaterThan(last?.x ?? Infinity);
  await page.getByLabel("سرّك").fill("سر");
  await page.getByRole("button", { name: "إنشاء رابط" }).click();
  const link = page.getByLabel("الرابط", { exact: true });
  expect(await link.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  await page.goto(`${stage.url}/docs`);
  const [slash = NaN, name = NaN] = await page.getByText("/trpc").evaluate((element) => {
    const text = [...element.childNodes].find((node) => node.textContent?.includes("/trpc"));
    const at = text?.textContent?.indexOf("/trpc") ?? 0;
    return [at, at + 1].map((start) => {
      const range = document.createRange();
      if (text) range.setStart(text, start);
      if (text) range.setEnd(text, start + 1);
      return range.getBoundingClientRect().left;
    });
  });
  expect(slash).toBeLessThan(name);
  expect(complaints).toEqual([]);
});
