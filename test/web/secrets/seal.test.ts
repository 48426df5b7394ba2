// browser
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const CONTROLS = "a, button, input, select, textarea, summary";

browserTest("begins with one sheet: few words, few controls, and the cursor in it", async () => {
  for (const viewport of [
    { width: 1280, height: 720 },
    { width: 1366, height: 625 },
  ]) {
    const { page } = await stage.open("/", { viewport });
    await page.locator("#secret:focus").waitFor();
    await page.waitForFunction(() => document.querySelectorAll("option").length > 10);
    // Of a choice, what is chosen is seen.
    const { words, controls } = await page.evaluate((selector) => {
      const shown = [...document.querySelectorAll(selector)].filter(
        (each) => each.checkVisibility() && !each.matches(".skip"),
      );
      for (const option of document.querySelectorAll("option:not(:checked)")) option.remove();
      return {
        words: document.body.innerText.split(/\s+/).filter(Boolean).length,
        controls: shown.length,
      };
    }, CONTROLS);
    expect(words).toBeLessThanOrEqual(90);
    expect(controls).toBeLessThanOrEqual(16);
    const { width, height } = (await page.locator(".letter").boundingBox()) ?? { width: 0, height: 0 };
    expect(width).toBe(640);
    expect(height).toBeLessThanOrEqual(420);
  }
});

browserTest("breaks the seal on both sides when the letter is opened, and says it in the tab", async () => {
  const { page, complaints } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).fill("sealed");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = page.getByLabel("The link", { exact: true });
  const url = await link.innerText();
  // What no server is told has a color of its own.
  expect(await link.locator("b").innerText()).toBe(url.slice(url.indexOf("#") + 1));
  const colorOf = (place: string) =>
    link
      .page()
      .locator(place)
      .evaluate((element) => getComputedStyle(element).color);
  expect(await colorOf(".chip b")).not.toBe(await colorOf(".chip"));
  expect(await page.title()).toBe("Not opened yet · Hushkit");
  await page.locator(".status .seal:not(.broken)").waitFor();
  const { page: reader } = await stage.open(url.slice(stage.url.length));
  await reader.locator("button .seal:not(.broken)").waitFor();
  await reader.getByRole("button", { name: "Open the secret" }).click();
  await reader.getByText("sealed", { exact: true }).waitFor();
  await reader.locator(".seal.broken").waitFor();
  await page.getByRole("heading", { name: "It was opened" }).waitFor();
  await page.locator(".seal.broken").waitFor();
  expect(await page.title()).toBe("It was opened · Hushkit");
  await page.getByRole("button", { name: "Share another secret" }).click();
  await expect.poll(() => page.title()).toBe("Share a secret · Hushkit");
  expect(complaints).toEqual([]);
});

browserTest(
  "shows the QR code beside the link where there is room, and behind a word where not",
  async () => {
    for (const [width, isShown] of [
      [1280, true],
      [390, false],
    ] as const) {
      const { page } = await stage.open("/", { viewport: { width, height: 844 } });
      await page.getByLabel("Your secret", { exact: true }).fill("x");
      await page.getByRole("button", { name: "Create link" }).click();
      await page.locator(".chip").waitFor();
      expect(await page.locator(".qr").isVisible()).toBe(isShown);
      const [box, panel] = await Promise.all([
        page.locator(".link button").boundingBox(),
        page.locator(".link").boundingBox(),
      ]);
      expect(box?.width).toBe(panel?.width);
    }
  },
);
