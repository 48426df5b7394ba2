// browser
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "./support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

browserTest("tells the keys for the main thing to who types or points, and to screen readers", async () => {
  const { page } = await stage.open("/");
  const button = page.getByRole("button", { name: "Create link", exact: true });
  expect(await button.getAttribute("aria-keyshortcuts")).toBe("Control+Enter");
  const keys = page.locator(".keys");
  // The text begins with the focus.
  await page.getByLabel("Your secret", { exact: true }).blur();
  expect(await keys.isVisible()).toBe(false);
  await button.hover();
  await keys.getByText("Ctrl").waitFor();
  await page.getByRole("heading", { name: "Share a secret" }).hover();
  await keys.waitFor({ state: "hidden" });
  await page.getByLabel("Your secret", { exact: true }).focus();
  expect(await keys.textContent()).toBe("Ctrl Enter");
  expect(await keys.isVisible()).toBe(true);
});

browserTest("names the keys as they are on the person's keyboard", async () => {
  const { page: german } = await stage.open("/", { locale: "de-DE" });
  await german.getByLabel("Ihr Geheimnis").focus();
  expect(await german.locator(".keys").textContent()).toBe("Strg Eingabe");
  const { page: apple } = await stage.open("/");
  await apple.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
  await apple.reload();
  await apple.getByLabel("Your secret", { exact: true }).fill("by keys");
  expect(await apple.locator(".keys").textContent()).toBe("⌘ ↩");
  const button = apple.getByRole("button", { name: "Create link" });
  expect(await button.getAttribute("aria-keyshortcuts")).toBe("Meta+Enter");
  await apple.keyboard.press("Meta+Enter");
  await apple.getByLabel("The link", { exact: true }).waitFor();
});

browserTest("tells no keys on a device without a keyboard", async () => {
  const { page } = await stage.open("/", { hasTouch: true, isMobile: true });
  await page.getByLabel("Your secret", { exact: true }).focus();
  expect(await page.locator(".keys").isVisible()).toBe(false);
});
