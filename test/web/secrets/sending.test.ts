// browser
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";
import { hiddenPartsOf } from "../support/in-sight.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { downloadBy } from "../support/download-by.ts";
import { chooseFile, press } from "../support/keyboard.ts";
import { lookAgain } from "../support/look-again.ts";

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
  // Waited for beforehand: it is said for two seconds only.
  const said = page.getByText("Kopiert").waitFor();
  await Promise.all([said, press(page.getByRole("button", { name: "Als Nachricht kopieren" }))]);
  const [sentence, link] = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  expect(link).toBe(await page.getByLabel("Der Link", { exact: true }).innerText());
  expect(sentence).toMatch(/öffnet es einmal, und nur bis zum \d+\. \p{L}+ \d{4} um \d\d:\d\d MES?Z:$/u);
  await page.getByRole("link", { name: "Anfordern", exact: true }).click();
  await page.getByRole("heading", { name: "Ein Geheimnis anfordern" }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("copies the link of a request as a message, and not the link to keep", async () => {
  const { page } = await stage.open("/ask", { permissions: PERMISSIONS });
  await press(page.getByRole("button", { name: "Create request" }));
  const said = page.getByText("Copied").waitFor();
  await Promise.all([said, press(page.getByRole("button", { name: "Copy as a message" }))]);
  const message = await page.evaluate(() => navigator.clipboard.readText());
  expect(message.split("\n")[1]).toBe(await page.getByRole("textbox", { name: "Link to send" }).innerText());
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
    await page.getByLabel("Your secret", { exact: true }).fill("hush");
    await press(page.getByRole("button", { name: "Create link" }));
    const url = await page.getByLabel("The link", { exact: true }).innerText();
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

browserTest("makes a link for each of several people, whose names stay in the browser", async () => {
  const { page, complaints } = await stage.open("/", { permissions: PERMISSIONS });
  const bodies: string[] = [];
  page.on("request", (request) => bodies.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.getByLabel("Your secret", { exact: true }).fill("hush");
  await press(page.locator("summary", { hasText: "One link per person" }));
  await page.getByRole("textbox", { name: "One link per person" }).fill("Ada\n\n =Grace \nLinus\n");
  // The third link fails: what was made is kept, and only the rest is tried again.
  let calls = 0;
  await page.route(/trpc\/secrets\.create/, (route) => (++calls === 3 ? route.abort() : route.continue()));
  await press(page.getByRole("button", { name: "Create link" }));
  await page.getByText("One link could not be made").waitFor();
  await press(page.getByRole("button", { name: "Try again for the rest" }));
  const links = page.getByRole("textbox", { name: "The link for" });
  await expect.poll(() => links.count()).toBe(3);
  await press(page.getByRole("button", { name: "Copy all as a list" }));
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  const urls = await Promise.all((await links.all()).map((link) => link.inputValue()));
  expect(lines).toEqual([`Ada: ${urls[0]}`, `=Grace: ${urls[1]}`, `Linus: ${urls[2]}`]);
  const saved = await downloadBy(page, () => press(page.getByRole("button", { name: "Save as CSV" })));
  const table = readFileSync(await saved.path(), "utf8");
  expect(table.split("\r\n")[2]).toMatch(/^"'=Grace","http/);
  const { page: reader } = await stage.open(urls[1]!.slice(stage.url.length));
  await press(reader.getByRole("button", { name: "Open the secret" }));
  await reader.getByText("hush", { exact: true }).waitFor();
  await lookAgain(page);
  await page.getByText("=Grace Opened").waitFor();
  await press(page.getByRole("button", { name: "Delete the secret for Ada" }));
  await press(page.getByRole("button", { name: "Yes, delete it" }));
  await page.getByText("Ada Deleted").waitFor();
  await expect.poll(() => links.count()).toBe(1);
  expect(bodies.join("\n")).not.toMatch(/Ada|Grace|Linus/);
  expect(complaints.filter((each) => !each.includes("net::ERR_FAILED"))).toEqual([]);
});

browserTest("collects by a link that a gateway and a chat have rewritten", async () => {
  const { page } = await stage.open("/ask");
  await press(page.getByRole("button", { name: "Create request" }));
  const keep = await page.getByRole("textbox", { name: "Link to keep" }).innerText();
  for (const moved of ["%23", "/%23", "/#"]) {
    const { page: asker } = await stage.open(keep.slice(stage.url.length).replace("#", moved));
    await asker.getByText("Nobody has answered yet").first().waitFor();
  }
});

browserTest("keeps an answer that was typed when another was faster", async () => {
  const { page } = await stage.open("/ask");
  await press(page.getByRole("button", { name: "Create request" }));
  const give = await page.getByRole("textbox", { name: "Link to send" }).innerText();
  const path = give.slice(stage.url.length);
  const pages = [await stage.open(path), await stage.open(path)];
  for (const { page: each } of pages) await each.getByLabel("Your answer").fill("a long answer");
  for (const { page: each } of pages) {
    await each.bringToFront();
    await press(each.getByRole("button", { name: "Send the answer" }));
    await each.getByRole("heading", { name: /answer has been sent|has been answered/ }).waitFor();
  }
  await pages[1]!.page.getByRole("region", { name: "What you typed" }).getByText("a long answer").waitFor();
});

browserTest(
  "answers with a message and files, and opens every kind of link where links are pasted",
  async () => {
    const { page } = await stage.open("/ask");
    await press(page.getByRole("button", { name: "Create request" }));
    const give = await page.getByRole("textbox", { name: "Link to send" }).innerText();
    const keep = await page.getByRole("textbox", { name: "Link to keep" }).innerText();
    const { page: other } = await stage.open("/open");
    // As Outlook hands it on.
    const wrapped = `https://a.safelinks.protection.outlook.com/?url=${encodeURIComponent(give)}&data=05%7C02&reserved=0`;
    await other.getByLabel("Link", { exact: true }).fill(wrapped);
    await press(other.getByRole("button", { name: "Continue" }));
    await other.getByLabel("Your answer").fill("beside the file");
    const buffer = Buffer.from("contents");
    await chooseFile(other, { name: "answer.txt", mimeType: "text/plain", buffer });
    // The file is kept as long as the request, whatever the visitor's clock says.
    await other.clock.setFixedTime(Date.now() + 10 * 86_400_000);
    const stored = other.waitForRequest(/\/api\/secrets\/file/);
    await press(other.getByRole("button", { name: "Send the answer" }));
    expect(Number(new URL((await stored).url()).searchParams.get("expires"))).toBeGreaterThan(86_400);
    await other.getByRole("heading", { name: "Your answer has been sent" }).waitFor();
    const { page: asker } = await stage.open("/open");
    await asker.getByLabel("Link", { exact: true }).fill(keep);
    await press(asker.getByRole("button", { name: "Continue" }));
    await press(asker.getByRole("button", { name: "Read the answer" }));
    const link = await asker.getByRole("link", { name: "Open the file" }).getAttribute("href");
    const { page: reader } = await stage.open(
      link!.slice(stage.url.length).replace("#", "/?utm_source=mail%2523"),
    );
    await press(reader.getByRole("button", { name: "Open the file" }));
    await reader.getByText("beside the file").waitFor();
    await reader.getByText("answer.txt", { exact: true }).waitFor();
  },
);

browserTest("sends nothing of a link to another server, and leads there", async () => {
  const { page } = await stage.open("/open");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  const [id, key] = ["Q7Zk2PfW0LxT8nBy", "3mJrV9aQeXcT5uWzHs0KdL"];
  for (const [given, href] of [
    [`https://other.test/base/s/${id}#${key}`, `https://other.test/base/s/${id}#${key}`],
    [`other.test/s/${id}#${key}`, `https://other.test/s/${id}#${key}`],
    [`http://other.test/r/${id}#${"A".repeat(43)}`, `http://other.test/r/${id}#${"A".repeat(43)}`],
  ] as const) {
    await page.getByLabel("Link", { exact: true }).fill(given);
    await press(page.getByRole("button", { name: "Continue" }));
    const server = href.replace(/\/[sr]\/.*/, "");
    expect(await page.getByRole("link", { name: server, exact: true }).getAttribute("href")).toBe(href);
  }
  await page.getByText("This link is to another server").waitFor();
  expect(sent.filter((each) => !each.startsWith(`${stage.url}/assets/`))).toEqual([]);
  expect(sent.join()).not.toMatch(new RegExp(`${id}|${key}`));
});

browserTest("leads to what keeps a link from being made: a lifetime, or too many people", async () => {
  const { page, requests } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).fill("kept back");
  const create = page.getByRole("button", { name: "Create link" });
  await page.getByLabel("Delete it after").selectOption("Another time…");
  const amount = page.getByRole("spinbutton", { name: "Delete it after" });
  await amount.fill("999999");
  await create.click();
  expect(await amount.evaluate((element) => element === document.activeElement)).toBe(true);
  await amount.fill("2");
  await page.locator("summary", { hasText: "One link per person" }).click();
  const people = page.getByRole("textbox", { name: "One link per person" });
  await people.fill("someone\n".repeat(101));
  await create.click();
  expect(await people.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
});

browserTest(
  "makes links for more people than the server takes in a minute, one turn after the other",
  async () => {
    const { page } = await stage.open("/");
    await page.clock.install();
    await page.getByLabel("Your secret", { exact: true }).fill("hush");
    await press(page.locator("summary", { hasText: "One link per person" }));
    const names = Array.from({ length: 25 }, (_, i) => `person ${i}`);
    await page.getByRole("textbox", { name: "One link per person" }).fill(names.join("\n"));
    await press(page.getByRole("button", { name: "Create link" }));
    const links = page.getByRole("textbox", { name: "The link for" });
    for (const made of [10, 20]) {
      await expect.poll(() => links.count()).toBe(made);
      // It waits by now.
      await page.getByRole("progressbar").waitFor();
      await page.getByText("The server takes only some links each minute.").waitFor();
      expect(await page.getByText("could not be made").count()).toBe(0);
      stage.clock.ahead += 60_000;
      await page.clock.runFor(60_000);
    }
    await expect.poll(() => links.count()).toBe(25);
    expect(await page.getByText("could not be made").count()).toBe(0);
  },
);

browserTest(
  "keeps the focus in a long list beside what was removed, and where more of it begins",
  async () => {
    const { page } = await stage.open("/");
    await page.locator("main input[type=file]").evaluate((input: HTMLInputElement) => {
      const chosen = new DataTransfer();
      for (let i = 1; i <= 221; i++) chosen.items.add(new File(["x"], `file-${i}.txt`));
      input.files = chosen.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
    const list = page.getByRole("list", { name: "Files" });
    // The last row that is drawn, behind which stands the button that draws more.
    await list.getByRole("button", { name: "Remove file-100.txt" }).press("Enter");
    const before = list.getByRole("button", { name: "Remove file-99.txt" });
    expect(await before.evaluate((button) => button === document.activeElement)).toBe(true);
    await list.getByRole("button", { name: "+ 120 files" }).press("Enter");
    const last = list.getByRole("button", { name: "+ 20 files" });
    expect(await last.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await last.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^file-202.txt/);
  },
);

browserTest("says at once that a thousand files are too many, and keeps those that fit", async () => {
  const { page } = await stage.open("/");
  await page.locator("main input[type=file]").evaluate((input: HTMLInputElement) => {
    const chosen = new DataTransfer();
    for (let i = 1; i <= 1000; i++) chosen.items.add(new File(["x"], `file-${i}.txt`));
    input.files = chosen.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  const keep = page.getByRole("alert").getByRole("button", { name: "Keep only the first 20" });
  await keep.waitFor();
  expect(await hiddenPartsOf(keep)).toEqual([]);
  const gap = await keep.evaluate((button) => {
    const bottom = button.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
    return button.getBoundingClientRect().top - bottom;
  });
  expect(gap).toBe(8);
  const list = page.getByRole("list", { name: "Files" });
  const rows = list.getByRole("button", { name: /^Remove/ });
  expect(await rows.count()).toBe(100);
  // The last row stays in sight and keeps the focus.
  const down = list.getByRole("button", { name: "Move file-100.txt down" });
  await down.press("Enter");
  await page.getByText(/^file-100.txt is now number 101 of/).waitFor();
  expect(await down.evaluate((button) => button === document.activeElement)).toBe(true);
  await list.getByRole("button", { name: "+ 899 files" }).press("Enter");
  expect(await rows.count()).toBe(201);
  await keep.click();
  expect(await rows.count()).toBe(20);
  expect(
    await page.getByLabel("Message (optional)").evaluate((field) => field === document.activeElement),
  ).toBe(true);
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByLabel("The link", { exact: true }).waitFor();
});
