// Draws the pictures of the documents, of real pages and of real commands, in both themes. Run by `npm run pictures`
// when the pages have changed; a picture that would look the same stays as it is.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Locator, type Page } from "playwright-core";
import sharp from "sharp";
import { createClient } from "../../client/client.ts";
import { findChromium } from "../machine/things.ts";
import { buildPages, startServer } from "../web/support/served.ts";
import { terminalPage } from "./terminal.ts";

const FOLDER = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const MOST_BYTES = 60_000;
const WIDTH = 1120;

/** Draws one picture: a part of the page, or so much of it from its top that its foot, which names a digest, is not seen. */
type Draw = (page: Page, server: string) => Promise<Locator | number>;

const folder = mkdtempSync(join(tmpdir(), "hushkit-"));
const TERMINAL = terminalPage(folder);
rmSync(folder, { recursive: true });

const BEFORE = "host: db1.example\nport: 5432\npool: 10\ntls: off\nretries: 3\n";
const AFTER = "host: db2.example\nport: 5432\npool: 40\ntls: required\nretries: 3\nproxy: none\n";

const DRAWERS: Readonly<Record<string, Draw>> = {
  async share(page, server) {
    await page.goto(server);
    await page
      .getByLabel("Your secret", { exact: true })
      .fill("Staging database\nuser: report\npassword: wren-lantern-42-orbit");
    return 720;
  },
  async open(page, server) {
    const { url } = await createClient(server).secrets.create.mutate({ content: "for your eyes" });
    await page.goto(url);
    await page.getByRole("button", { name: "Open the secret" }).waitFor();
    return 480;
  },
  async compare(page, server) {
    await page.goto(`${server}/text-compare`);
    await page.getByLabel("First text", { exact: true }).fill(BEFORE);
    await page.getByLabel("Second text", { exact: true }).fill(AFTER);
    await page.getByRole("button", { name: "Compare" }).click();
    return page.getByRole("region", { name: "Result" });
  },
  async terminal(page) {
    // Elsewhere the policy of the pages holds.
    await page.goto("about:blank");
    await page.setContent(TERMINAL);
    return page.locator("body");
  },
};

mkdirSync(FOLDER, { recursive: true });
await buildPages();
const server = await startServer({ ahead: 0 });
const found = await findChromium();
if (!("at" in found)) throw new Error(`There is no Chromium to draw with: ${found.lacks}`);
const browser = await chromium.launch({ executablePath: found.at, args: ["--headless", "--no-sandbox"] });
for (const [name, draw] of Object.entries(DRAWERS)) {
  for (const colorScheme of ["light", "dark"] as const) {
    const viewport = { width: WIDTH, height: 1400 };
    const page = await browser.newPage({ colorScheme, viewport, locale: "en-GB", reducedMotion: "reduce" });
    // The typeface comes with the first page, and is used from the next one on.
    await page.goto(server.url);
    await page.evaluate(() => document.fonts.ready);
    const part = await draw(page, server.url);
    const top = (height: number) => page.screenshot({ clip: { x: 0, y: 0, width: WIDTH, height } });
    const shown = await (typeof part === "number" ? top(part) : part.screenshot());
    await keep(`${name}-${colorScheme}.webp`, shown);
    await page.close();
  }
}
for (const [name, width] of [
  ["wide", 1280],
  ["narrow", 390],
] as const) {
  const viewport = { width, height: 800 };
  const page = await browser.newPage({
    viewport,
    colorScheme: "light",
    locale: "en-GB",
    reducedMotion: "reduce",
  });
  await page.goto(server.url);
  await page.getByLabel("Your secret", { exact: true }).waitFor();
  await keep(`../../web/public/screenshot-${name}.webp`, await page.screenshot());
  await page.close();
}
await browser.close();
await server.close();

async function keep(name: string, shown: Buffer): Promise<void> {
  const path = FOLDER + name;
  if (existsSync(path) && (await isSame(readFileSync(path), shown))) return;
  const packed = await sharp(shown).webp({ lossless: true, effort: 6 }).toBuffer();
  if (packed.length > MOST_BYTES) throw new Error(`${name} would have ${packed.length} bytes`);
  writeFileSync(path, packed);
  console.log(`${name}: ${packed.length} bytes`);
}

// By their points: encoders of different versions write different bytes.
async function isSame(kept: Buffer, shown: Buffer): Promise<boolean> {
  const points = (image: Buffer) => sharp(image).removeAlpha().raw().toBuffer();
  return (await points(kept)).equals(await points(shown));
}
