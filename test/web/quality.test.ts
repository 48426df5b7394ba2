// browser
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { PAGE_NAMES, pathOf } from "../../wire/pages.ts";
import { FIND_FAULTS } from "./support/axe.ts";
import { sampled } from "../support/sampled.ts";
import { browserTest, OFFLINE_TOO, openStage, type Stage } from "./support/browser.ts";
import { evaluateApart } from "./support/drivers/chromium.ts";
import { walkTo, type TestFile } from "./support/keyboard.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const LOCKED = readFileSync(new URL("../files/encrypted/aes-256-r6.pdf", import.meta.url));
/** One of them in each run, both before a release. */
const THEMES = sampled(["light", "dark"] as const, 1);

const pixel = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: "red" } })
    .png()
    .toBuffer();

// The policy of the pages lets no script in, a test's neither; the driver's own world is not under it.
async function faults(page: Page): Promise<string[]> {
  // A list of lines, as the script has it.
  return (await evaluateApart(page, FIND_FAULTS)) as string[];
}

async function faultsInThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await faults(page)).map((fault) => `${colorScheme}, ${fault}`));
  }
  return found;
}

const PDF: TestFile = { name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from(pagesPdf(3)) };

async function choose(page: Page, ...files: readonly TestFile[]): Promise<void> {
  await page.locator("main input[type=file]").setInputFiles([...files]);
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(stage.url + path);
  await page.locator("h1").waitFor();
  await page.locator(".loading").waitFor({ state: "detached" });
}

browserTest(
  "has nothing for axe to find on any page, whatever its theme, and asks no other host",
  async () => {
    const { page } = await stage.open("/");
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    for (const path of sampled(PAGE_NAMES.map(pathOf), 5)) {
      await show(page, path);
      expect([path, ...(await faultsInThemes(page))]).toEqual([path]);
    }
    expect([...hosts]).toEqual([new URL(stage.url).host]);
  },
);

/** What pages turn into: each shows one thing after the other, and has it looked at. */
const TURNS: Readonly<Record<string, (page: Page, look: () => Promise<void>) => Promise<void>>> = {
  async secret(page, look) {
    await show(page, "/");
    await page.getByLabel("Your secret", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Passphrase", exact: true }).click();
    await page.getByRole("textbox", { name: "Passphrase" }).fill("open sesame");
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByLabel("The link", { exact: true }).innerText();
    await page.getByText("QR code", { exact: true }).click();
    await page.getByRole("img", { name: "The link as a QR code" }).waitFor();
    await page.getByText("What the recipient sees").click();
    await look();
    await page.goto(link);
    await page.getByRole("textbox", { name: "Passphrase" }).fill("wrong");
    await page.getByRole("button", { name: "Open the secret" }).click();
    await page.getByText("You have 9 tries left").waitFor();
    await look();
  },
  async "pdf-rotate"(page, look) {
    await show(page, "/pdf-rotate");
    await choose(page, PDF);
    await page.getByRole("button", { name: "Page 2" }).click();
    await page.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("link", { name: "Save", exact: true }).waitFor();
    await look();
  },
  async "pdf-split"(page, look) {
    await show(page, "/pdf-split");
    await choose(page, PDF);
    await page.getByLabel("Pages to keep").fill("3,1");
    await page.getByRole("list", { name: "Order of the pages" }).waitFor();
    await look();
  },
  async "pdf-merge"(page, look) {
    await show(page, "/pdf-merge");
    const locked = { ...PDF, name: "locked.pdf", buffer: LOCKED };
    await choose(page, PDF, locked, { ...PDF, name: "text.pdf", buffer: Buffer.from("no PDF") });
    await page.getByText("This PDF is protected").waitFor();
    await look();
    await page.getByRole("button", { name: "Enlarge a.pdf" }).click();
    await page.getByRole("dialog", { name: "Page 1 of 3" }).waitFor();
    await look();
    await page.keyboard.press("Escape");
  },
  async "the finder"(page, look) {
    await show(page, "/pdf-merge");
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Split a PDF" }).waitFor();
    await look();
  },
  async "image-convert"(page, look) {
    await show(page, "/image-convert");
    const image = { name: "a.png", mimeType: "image/png", buffer: await pixel() };
    await choose(page, image);
    await page.getByText("Preview, in a reduced size").waitFor();
    await look();
    await page.getByRole("button", { name: "Convert" }).click();
    await page.getByRole("slider", { name: "Line between before and after" }).waitFor();
    await look();
    await choose(page, image, PDF);
    await page.getByRole("alert").getByRole("button", { name: "Rotate" }).waitFor();
    await page.getByRole("button", { name: "Convert" }).click();
    await page.getByRole("link", { name: "Save all" }).waitFor();
    await look();
  },
  async ask(page, look) {
    await show(page, "/ask");
    await page.getByRole("button", { name: "Create request" }).click();
    await page.getByText("Send the first link, keep the second").waitFor();
    await look();
  },
  async "text-compare"(page, look) {
    await show(page, "/text-compare");
    await page.getByLabel("First text", { exact: true }).fill("a\nb\n");
    await page.getByLabel("Second text", { exact: true }).fill("a\nc\n");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("1 line removed").waitFor();
    await page.keyboard.press("n");
    await look();
  },
  async tools(page, look) {
    await show(page, "/tools");
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["a"], "a.txt"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await page.getByRole("dialog").getByRole("button", { name: "Compare" }).waitFor();
    await look();
  },
  async docs(page, look) {
    await show(page, "/docs");
    await page.getByText("/api/tools/pdf-rotate").first().click();
    await look();
  },
};

for (const [name, turn] of sampled(Object.entries(TURNS), 4))
  browserTest(`has nothing for axe to find in what a page turns into: ${name}`, async () => {
    const { page } = await stage.open("/healthz", { viewport: { width: 390, height: 844 } });
    await turn(page, async () => expect(await faultsInThemes(page)).toEqual([]));
  });

browserTest("scrolls sideways on no page of a phone's width", async () => {
  const { page } = await stage.open("/healthz", { viewport: { width: 320, height: 640 } });
  for (const path of sampled(PAGE_NAMES.map(pathOf), 8)) {
    await show(page, path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect([path, width]).toEqual([path, 320]);
  }
});

browserTest("scrolls the document of the API sideways at no width, also what is unfolded", async () => {
  const { page } = await stage.open("/docs", { viewport: { width: 320, height: 640 } });
  await page.locator("details.operation").first().waitFor();
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
  });
  await page.getByText('["secret.revealed"').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

browserTest("is used with the keyboard alone, from the first key to the link", async () => {
  const { page, complaints } = await stage.open("/ask");
  await page.locator("h1").waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Skip to content" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type("typed");
  await walkTo(page.getByRole("button", { name: "Create request" }));
  await page.keyboard.press("Enter");
  await page.getByLabel("Link to send").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("asks for all of a page at once, and for nothing twice", async () => {
  for (const path of ["/docs", "/", "/pdf-rotate", "/account"]) {
    const { page, requests, complaints } = await stage.open("/healthz");
    const response = await page.request.get(stage.url + path, { headers: { accept: "text/html" } });
    const text = `${response.headers().link} ${await response.text()}`;
    const drawn = Promise.withResolvers<void>();
    // What the document does not name comes after the page is drawn.
    await page.route("**/assets/*", async (route) => {
      if (!text.includes(new URL(route.request().url()).pathname)) await drawn.promise;
      await route.continue();
    });
    await page.goto(stage.url + path, { waitUntil: "commit" });
    await page.locator("section.page h1").waitFor();
    drawn.resolve();
    await page.waitForLoadState();
    const asked = requests.filter((request) => /\/(assets|api)\//.test(request));
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((request, i) => asked.indexOf(request) !== i)).toEqual([]);
    expect(complaints).toEqual([]);
  }
});

browserTest("works without the server after the first visit, and keeps no secret's page", async () => {
  const { page } = await stage.open("/", OFFLINE_TOO);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await page.goto(`${stage.url}/file-hash`);
  await page.locator("main input[type=file]").setInputFiles({
    name: "a.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("abc"),
  });
  await page.getByText("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad").waitFor();
  const secret = page.goto(`${stage.url}/s/q7Zk2PfW0LxT8nBy#3mJrV9aQeXcT5uWzHs0KdL`);
  await expect(secret).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
});

browserTest(
  "keeps the files of the version before for pages that are open, and of none earlier",
  async () => {
    const { page } = await stage.open("/healthz", OFFLINE_TOO);
    await page.evaluate(async () => {
      for (const version of ["earlier", "before"]) {
        const cache = await caches.open(`hushkit / ${version}`);
        await cache.put(`/assets/${version}.js`, new Response(version));
      }
    });
    await page.goto(stage.url);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const read = (name: string) =>
      page.evaluate(async (path) => (await fetch(path)).text(), `/assets/${name}.js`);
    expect(await read("before")).toBe("before");
    expect(await read("earlier")).not.toBe("earlier");
    const names = await page.evaluate(() => caches.keys());
    expect(names).toEqual(["hushkit / before", expect.stringMatching(/^hushkit \/ \w+$/)]);
  },
);
