// slow
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { press } from "../support/keyboard.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const PERMISSIONS = ["clipboard-read", "clipboard-write"];

browserTest("copies a link as a message, in the language of the page, and then may be left", async () => {
  const options = { permissions: PERMISSIONS, locale: "de-DE", timezoneId: "Europe/Berlin" };
  const { page, complaints } = await stage.open("/", options);
  await page.getByLabel("Ihr Geheimnis").fill("hush");
  await press(page.getByRole("button", { name: "Link erstellen" }));
  await press(page.getByRole("button", { name: "Als Nachricht kopieren" }));
  await page.getByText("Kopiert").waitFor();
  const [sentence, link] = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  expect(link).toBe(await page.getByLabel("Der Link", { exact: true }).inputValue());
  expect(sentence).toMatch(/öffnet es einmal, und nur bis zum \d+\. \p{L}+ \d{4} um \d\d:\d\d MES?Z:$/u);
  await page.getByRole("link", { name: "Passwort", exact: true }).click();
  await page.getByRole("heading", { name: "Passwort erzeugen" }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("copies the link of a request as a message, and not the link to keep", async () => {
  const { page } = await stage.open("/ask", { permissions: PERMISSIONS });
  await press(page.getByRole("button", { name: "Create request" }));
  await press(page.getByRole("button", { name: "Copy as a message" }));
  await page.getByText("Copied").waitFor();
  const message = await page.evaluate(() => navigator.clipboard.readText());
  expect(message.split("\n")[1]).toBe(await page.getByRole("textbox", { name: "Link to send" }).inputValue());
  expect(message).toContain("answered once, until ");
});

// Chromium on Linux has no list of programs to share with, so the test takes its part.
browserTest(
  "hands the link and its sentence to the system's list of programs, where there is one",
  async () => {
    const { page } = await stage.open("/");
    expect(await page.evaluate(() => "share" in navigator)).toBe(false);
    await page.addInitScript(() => {
      const outcomes = [new DOMException("closed", "AbortError"), new DOMException("no", "DataError"), null];
      const share = async (data: ShareData) => {
        const outcome = outcomes.shift();
        if (outcome) throw outcome;
        document.documentElement.dataset.shared = JSON.stringify(data);
      };
      Object.defineProperty(navigator, "share", { value: share });
    });
    await page.reload();
    await page.getByLabel("Your secret").fill("hush");
    await press(page.getByRole("button", { name: "Create link" }));
    const url = await page.getByLabel("The link", { exact: true }).inputValue();
    const button = page.locator(".link + .actions button").nth(1);
    await press(button);
    expect(await button.textContent()).toBe("Share…");
    await button.click();
    await page.getByRole("button", { name: "Select the text and copy it yourself" }).waitFor();
    await button.click();
    const shared = page.locator("html[data-shared]");
    expect(JSON.parse((await shared.getAttribute("data-shared")) ?? "")).toMatchObject({
      url,
      text: expect.stringMatching(/^Here is a secret for you\..* until .*:$/),
    });
    expect(await button.textContent()).toBe("Share…");
  },
);
