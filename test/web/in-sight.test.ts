// browser
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { PAGE_NAMES, pathOf, TOOL_NAMES } from "../../wire/pages.ts";
import { sampled } from "../support/sampled.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "./support/browser.ts";
import { faultsOfLayout, hiddenPartsOf } from "./support/in-sight.ts";

let stage: Stage;
let image: Buffer;
beforeAll(async () => {
  stage = await openStage();
  const red = { width: 400, height: 300, channels: 3, background: "red" } as const;
  image = await sharp({ create: red }).png().toBuffer();
});
afterAll(() => stage.close());

const SIZES = [
  [320, 568],
  [360, 640],
  [390, 844],
  [768, 1024],
  [1280, 720],
  [1366, 625],
  [1920, 1080],
  [2560, 1440],
] as const;
/** What 1280 × 720 is at 400 percent. */
const ENLARGED = [320, 180] as const;
const LANGUAGES = ["en", "de", "ar", "ja"];

/** A window of a size, in a language. */
interface Case {
  readonly size: readonly [width: number, height: number];
  readonly locale: string;
  /** Whether the typeface came in time; else it is that of the system, which may be wider. */
  readonly hasTypeface: boolean;
}

const CASES: readonly Case[] = [...SIZES, ENLARGED].flatMap((size) =>
  LANGUAGES.flatMap((locale) => [true, false].map((hasTypeface) => ({ size, locale, hasTypeface }))),
);

async function open(path: string, { size: [width, height], locale, hasTypeface }: Case): Promise<Page> {
  const { page } = await stage.open("/healthz", { viewport: { width, height }, locale });
  if (!hasTypeface) await page.route("**/*.woff2", (route) => route.abort());
  await page.goto(stage.url + path);
  await page.locator("h1").waitFor();
  await page.locator(".loading").waitFor({ state: "detached" });
  await page.evaluate(() => document.fonts.ready);
  return page;
}

/** The button that does what the page is for; before there is a file, the one that chooses it. */
function mainAct(page: Page): Locator {
  return page.locator("main :is(form button:not([type]), .drop:not(.slim) label)").first();
}

async function expectInSight(parts: readonly Locator[], name: string): Promise<void> {
  // A page that has just grown may still be scrolling.
  const look = async () => (await Promise.all(parts.map(hiddenPartsOf))).flat();
  await expect.poll(look, { message: name }).toEqual([]);
}

const ACTS = new Set<string>(["share", "ask", "open", "account", ...TOOL_NAMES]);

browserTest("has what a page is for in sight at every size, and nothing over anything else", async () => {
  const cases = PAGE_NAMES.flatMap((page) => CASES.map((each) => ({ page, ...each })));
  for (const each of sampled(cases, 8)) {
    const name = `${each.page} at ${each.size.join("×")} in ${each.locale}${each.hasTypeface ? "" : ", typeface of the system"}`;
    const page = await open(pathOf(each.page), each);
    if (ACTS.has(each.page) && each.size !== ENLARGED)
      if ((await mainAct(page).count()) > 0) await expectInSight([mainAct(page)], name);
    expect([name, ...(await faultsOfLayout(page))]).toEqual([name]);
    await page.context().close();
  }
});

const picture = () => ({ name: "a.png", mimeType: "image/png", buffer: image });
const pdf = () => ({ name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from(pagesPdf(3)) });

async function choose(page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) {
  await page.locator("main input[type=file]").first().setInputFiles(files);
}

const press = (page: Page) => page.locator("main form button:not([type])").first().click();
const heading = (page: Page) => page.locator("h1");
const link = (page: Page) => page.locator(".link").first();

async function share(page: Page, text = "x"): Promise<void> {
  await page.locator("#secret").fill(text);
  await press(page);
  await page.locator(".link, .copies").first().waitFor();
}

const result = (page: Page) => [page.locator(".result .made").first()];

/** What is done on a page, and what is then to be whole in the window. */
const DONE: Readonly<Record<string, (page: Page) => Promise<Locator[]>>> = {
  async share(page) {
    await share(page);
    return [heading(page), link(page)];
  },
  async "share, with a passphrase and a file"(page) {
    await page.locator(".letter .bar button[aria-expanded]").click();
    await page.locator("form.share input.code").first().fill("open sesame");
    await choose(page, pdf());
    await share(page);
    return [heading(page), link(page)];
  },
  async "share, from below"(page) {
    await page.locator("#secret").fill("x");
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.keyboard.press("Control+Enter");
    await link(page).waitFor();
    return [heading(page), link(page)];
  },
  async "share, with several people"(page) {
    await page.locator("form.share summary").first().click();
    await page.locator("form.share details textarea").fill("Ada\nBob");
    await share(page);
    return [heading(page), page.locator(".copies li").first()];
  },
  async ask(page) {
    await press(page);
    await link(page).waitFor();
    return [heading(page), link(page)];
  },
  async "pdf-rotate"(page) {
    await choose(page, pdf());
    await press(page);
    await result(page)[0]?.waitFor();
    return result(page);
  },
  async "pdf-lock"(page) {
    await choose(page, pdf());
    await page.locator("form.tool input.code").first().fill("a long password");
    await press(page);
    await result(page)[0]?.waitFor();
    return result(page);
  },
  async "image-convert"(page) {
    await choose(page, picture());
    await press(page);
    await result(page)[0]?.waitFor();
    return result(page);
  },
  async "file-hash"(page) {
    await choose(page, { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("abc") });
    await page.locator(".digests").waitFor();
    return [page.locator(".digests > div").first()];
  },
  async "text-compare"(page) {
    const lines = Array.from({ length: 300 }, (_, i) => `line ${i}`).join("\n");
    const texts = page.locator("form.tool textarea");
    await texts.first().fill(lines);
    await texts.last().fill(lines.replaceAll("7", "seven"));
    await press(page);
    await page.locator(".diff").waitFor();
    return [page.locator(".status .tag").first()];
  },
  async password(page) {
    await page.locator("output.password").waitFor();
    return [page.locator("output.password"), page.locator("main .primary")];
  },
};

browserTest("shows what was done whole, with its button, wherever the page was scrolled to", async () => {
  const all = Object.entries(DONE).flatMap(([what, act]) => CASES.map((each) => ({ what, act, ...each })));
  // A window that low shows a list, and a password for which nobody has asked, when somebody scrolls.
  const cases = all.filter(({ what, size }) => size !== ENLARGED || !/password|people/.test(what));
  for (const { what, act, ...each } of sampled(cases, 5)) {
    const name = `${what} at ${each.size.join("×")} in ${each.locale}${each.hasTypeface ? "" : ", typeface of the system"}`;
    const page = await open(pathOf(PAGE_NAMES.find((page) => what.startsWith(page)) ?? "share"), each);
    const shown = await act(page);
    // A window that low shows what was made with its button, and of the rest what fits.
    await expectInSight(each.size === ENLARGED ? shown.slice(-1) : shown, name);
    expect([name, ...(await faultsOfLayout(page))]).toEqual([name]);
    await page.context().close();
  }
});

const FILE_TOOLS = TOOL_NAMES.filter((name) => name !== "text-compare" && name !== "password");
/** From here on what is set stands beside the file. */
const SIDE_BY_SIDE = 992;

browserTest(
  "has the file and what is done with it in sight, and the result in the file's place",
  async () => {
    const cases = FILE_TOOLS.flatMap((tool) => CASES.map((each) => ({ tool, ...each })));
    for (const { tool, ...each } of sampled(
      cases.filter(({ size }) => size !== ENLARGED),
      5,
    )) {
      const name = `${tool} at ${each.size.join("×")} in ${each.locale}`;
      const page = await open(pathOf(tool), each);
      expect(await page.locator(".example").getAttribute("aria-hidden"), name).toBe("true");
      await choose(page, tool === "image-convert" ? picture() : pdf());
      await page.locator(".stage .list, .stage .merge").waitFor();
      const isBeside = each.size[0] >= SIDE_BY_SIDE;
      const act = tool === "file-hash" ? page.locator(".digests > div") : mainAct(page);
      await expectInSight(
        [act.first(), ...(isBeside ? [page.locator(".stage li, .stage .chosen")] : [])],
        name,
      );
      expect([name, ...(await faultsOfLayout(page))]).toEqual([name]);
      if (tool === "pdf-rotate" || tool === "image-convert") {
        const { y: top } = (await page.locator(".stage").boundingBox()) ?? { y: 0 };
        await press(page);
        await result(page)[0]?.waitFor();
        await expectInSight([heading(page), ...result(page)], name);
        const made = await page.locator(".result").boundingBox();
        expect(Math.abs((made?.y ?? 0) - top), name).toBeLessThan(2);
      }
      await page.context().close();
    }
  },
);

browserTest("shows the current tool among the others where not all of them fit", async () => {
  const phone: Case = { size: [360, 640], locale: "en", hasTypeface: true };
  for (const locale of ["en", "ar"]) {
    const page = await open(pathOf("pdf-unlock"), { ...phone, locale });
    await expectInSight([page.locator(".strip [aria-current]")], locale);
    await page.context().close();
  }
});

browserTest(
  "begins in the text, six steps of Tab from the button that sends it; on a phone with its title",
  async () => {
    const { page } = await stage.open("/");
    await page.locator("#secret:focus").waitFor();
    await page.keyboard.type("typed at once");
    const button = page.getByRole("button", { name: "Create link" });
    let steps = 0;
    for (; steps < 6 && !(await button.evaluate((each) => each === document.activeElement)); steps++)
      await page.keyboard.press("Tab");
    expect(await button.evaluate((each) => each === document.activeElement)).toBe(true);
    const phone = await stage.open("/", { hasTouch: true, isMobile: true });
    await phone.page.locator("#secret").waitFor();
    expect(await phone.page.evaluate(() => document.activeElement?.localName)).toBe("body");
  },
);

browserTest("has the whole word for logging in on a small phone, in the head's two lines", async () => {
  for (const locale of ["ar", "es", "fr"]) {
    const { page } = await stage.open("/open", { locale });
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 640 });
      const [word, head] = [page.locator(".me .name"), page.locator("header").first()];
      expect(await word.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      expect((await head.boundingBox())?.height).toBeLessThan(120);
    }
    await page.context().close();
  }
});

const upload = (name: string, bytes: Uint8Array | string) => ({
  ...{ name, mimeType: "application/pdf" },
  buffer: Buffer.from(bytes),
});

browserTest("moves no choice while chosen PDFs are read, and keeps fields in their rows", async () => {
  const good = [upload("a.pdf", pagesPdf(2)), upload("b.pdf", pagesPdf(3))];
  const cases = [
    ["/pdf-merge", 800, [...good, upload("bad.pdf", "%PDF-1.7\n")]],
    ["/pdf-merge", 320, good],
    ["/pdf-lock", 360, good.slice(0, 1)],
  ] as const;
  for (const [path, width, files] of cases) {
    const { page } = await stage.open(path, { viewport: { width, height: 800 } });
    // All places that it is painted at, from its first on.
    await page.evaluate(() => {
      const look = () => {
        const choice = document.querySelector("fieldset:has([value=server])");
        const top = choice && String(Math.round(choice.getBoundingClientRect().top + scrollY));
        const { dataset } = document.body;
        if (top && !dataset["tops"]?.split(" ").includes(top))
          dataset["tops"] = `${dataset["tops"] ?? ""} ${top}`.trim();
        requestAnimationFrame(look);
      };
      look();
    });
    await page.locator("main input[type=file]").first().setInputFiles(files);
    const last = files.at(-1)?.name === "bad.pdf" ? "This file is damaged." : / · .+ pages/;
    await page.getByText(last).last().waitFor();
    await page.waitForFunction(() =>
      [...document.querySelectorAll("canvas")].some((each) => each.height !== 160),
    );
    const tops = await page.evaluate(() => document.body.dataset["tops"]);
    const rows = page.locator(".merge li");
    expect(await rows.evaluateAll((all) => all.some((row) => row.scrollWidth > row.clientWidth))).toBe(false);
    expect([path, width, tops]).toEqual([path, width, expect.stringMatching(/^\d+$/)]);
  }
});
