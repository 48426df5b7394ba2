// browser
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { downloadBy } from "../support/download-by.ts";
import { chooseFile, press, tabTo } from "../support/keyboard.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

interface Asked {
  readonly page: Page;
  /** Paths of the links, with what is after the #. */
  readonly give: string;
  readonly keep: string;
}

/** Asks for something; where its clock is given, the page asks for the answer when the test says so. */
async function ask({ note = "", isClockGiven = false } = {}): Promise<Asked> {
  const { page } = await stage.open("/ask");
  if (isClockGiven) await page.clock.install();
  if (note) {
    await tabTo(page.getByLabel("What do you need? (optional)"));
    await page.keyboard.insertText(note);
  }
  await press(page.getByRole("button", { name: "Create request" }));
  const pathOf = async (label: string) =>
    (await page.getByRole("textbox", { name: label }).innerText()).slice(stage.url.length);
  return { page, give: await pathOf("Link to send"), keep: await pathOf("Link to keep") };
}

async function answer(path: string, text: string): Promise<Page> {
  const { page } = await stage.open(path);
  await tabTo(page.getByLabel("Your answer"));
  await page.keyboard.insertText(text);
  await press(page.getByRole("button", { name: "Send the answer" }));
  await page.getByRole("heading", { name: "Your answer has been sent" }).waitFor();
  return page;
}

browserTest("lets somebody ask, one other answer, and only the asker read, by keyboard alone", async () => {
  const { give, keep } = await ask({ note: "the Wi-Fi password" });
  expect(give).toMatch(/^\/r\/[0-9A-Za-z]{16}#[\w-]{43}$/);
  expect(keep).toMatch(/^\/r\/[0-9A-Za-z]{16}\/collect#[0-9A-Za-z]{32}\.[\w-]{43}$/);
  const { page: waiting } = await stage.open(keep);
  await waiting.getByText("Nobody has answered yet.").waitFor();
  const { page: asked } = await stage.open(give);
  await asked.getByText("the Wi-Fi password").waitFor();
  await answer(give, "pässwörd 🔑\n");
  const { page: late } = await stage.open(give);
  await late.getByRole("heading", { name: "This request has been answered" }).waitFor();
  const { page: reader, complaints } = await stage.open(keep);
  await press(reader.getByRole("button", { name: "Read the answer" }));
  expect(await reader.getByRole("region", { name: "The answer" }).textContent()).toBe("pässwörd 🔑\n");
  expect(complaints).toEqual([]);
  const { page: again } = await stage.open(keep);
  await again.getByText("The answer has been read, and deleted from the server.").waitFor();
});

browserTest("takes several answers, reads one, then all, and takes no more", async () => {
  const { page: asker } = await stage.open("/ask");
  await asker.getByLabel("How many answers it takes").fill("5");
  await press(asker.getByRole("button", { name: "Create request" }));
  const pathOf = async (label: string) =>
    (await asker.getByRole("textbox", { name: label }).innerText()).slice(stage.url.length);
  const [give, keep] = [await pathOf("Link to send"), await pathOf("Link to keep")];
  for (const text of ["one", "two", "three"]) await answer(give, text);
  const { page: asked } = await stage.open(give);
  await asked.getByText("Answers it still takes: 2 of 5.").waitFor();
  const { page: reader, complaints } = await stage.open(keep);
  await reader.getByText("Answers so far: 3 of 5. Not read yet: 3.").waitFor();
  const textOf = (number: number) =>
    reader.getByRole("region", { name: `Answer ${number}`, exact: true }).textContent();
  await press(reader.getByRole("button", { name: "Read the next answer" }));
  expect(await textOf(1)).toBe("one");
  await reader.getByText("Not read yet: 2.").waitFor();
  // What was read and not confirmed comes back first.
  reader.on("dialog", (dialog) => void dialog.accept());
  await reader.reload();
  await press(reader.getByRole("button", { name: "Read the next answer" }));
  expect(await textOf(1)).toBe("one");
  await press(reader.getByRole("button", { name: "I have it, delete it now" }));
  await press(reader.getByRole("button", { name: "Read all answers" }));
  expect([await textOf(2), await textOf(3)]).toEqual(["two", "three"]);
  await press(reader.getByRole("button", { name: "Take no more answers" }));
  await press(reader.getByRole("button", { name: "Yes, take no more" }));
  await reader.getByText("All read", { exact: true }).waitFor();
  await reader.getByText("The server keeps it for this tab for ten minutes").waitFor();
  const received = reader.getByRole("button", { name: "I have it, delete it now" });
  await press(received.first());
  await expect.poll(() => received.count()).toBe(1);
  await press(received);
  await reader.getByText("All answers have been read, and deleted from the server.").waitFor();
  const { page: late } = await stage.open(give);
  await late.getByRole("heading", { name: "This request takes no more answers" }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("sends neither question, keys nor answer", async () => {
  const { page: asker } = await stage.open("/ask");
  const sent: string[] = [];
  const listen = (page: Page) =>
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  listen(asker);
  await asker.getByLabel("What do you need? (optional)").fill("the launch code");
  await press(asker.getByRole("button", { name: "Create request" }));
  const give = await asker.getByRole("textbox", { name: "Link to send" }).innerText();
  const keep = await asker.getByRole("textbox", { name: "Link to keep" }).innerText();
  const { page } = await stage.open("/open");
  listen(page);
  await page.goto(give);
  await page.getByLabel("Your answer").fill("zero zero zero");
  await press(page.getByRole("button", { name: "Send the answer" }));
  await page.getByRole("heading", { name: "Your answer has been sent" }).waitFor();
  const all = sent.join("\n");
  expect(all).toContain("n1.");
  expect(all).toContain("r1.");
  for (const kept of ["launch", "zero", give.split("#")[1], keep.split(".").at(-1)])
    expect(all).not.toContain(kept);
});

browserTest("shows the answer where it was asked, when it comes", async () => {
  const { page, give } = await ask({ isClockGiven: true });
  await answer(give, "there you are");
  await page.clock.runFor(60_000);
  await page.getByText("Answered", { exact: true }).waitFor();
  await press(page.getByRole("button", { name: "Read the answer" }));
  expect(await page.getByRole("region", { name: "The answer" }).textContent()).toBe("there you are");
});

browserTest("takes a file as the answer", async () => {
  const { give, keep } = await ask({ note: "the contract" });
  const { page } = await stage.open(give);
  const buffer = Buffer.from("signed");
  await chooseFile(page, { name: "contract.txt", mimeType: "text/plain", buffer });
  await press(page.getByRole("button", { name: "Send the answer" }));
  await page.getByRole("heading", { name: "Your answer has been sent" }).waitFor();
  const { page: reader } = await stage.open(keep);
  await press(reader.getByRole("button", { name: "Read the answer" }));
  const opening = reader.context().waitForEvent("page");
  await press(reader.getByRole("link", { name: "Open the file" }));
  const file = await opening;
  const saved = await downloadBy(file, () => press(file.getByRole("button", { name: "Open the file" })));
  expect(saved.suggestedFilename()).toBe("contract.txt");
  expect(readFileSync(await saved.path(), "utf8")).toBe("signed");
});

browserTest("knows its own answer, where the server's answer to it was lost", async () => {
  const { give, keep } = await ask();
  const { page } = await stage.open(give);
  let tries = 0;
  await page.route("**/answer", async (route) => {
    if (tries++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByLabel("Your answer").fill("sent twice");
  await press(page.getByRole("button", { name: "Send the answer" }));
  await page.getByRole("heading", { name: "Your answer has been sent" }).waitFor();
  expect(tries).toBe(2);
  const { page: reader } = await stage.open(keep);
  await press(reader.getByRole("button", { name: "Read the answer" }));
  expect(await reader.getByRole("region", { name: "The answer" }).textContent()).toBe("sent twice");
});

browserTest("cancels a request, and tells whoever has the link", async () => {
  const { page, give } = await ask({ note: "changed my mind" });
  await press(page.getByRole("button", { name: "Cancel the request" }));
  await press(page.getByRole("button", { name: "Yes, cancel it" }));
  await page.getByText("Cancelled", { exact: true }).waitFor();
  const { page: other } = await stage.open(give);
  await other.getByRole("heading", { name: "This request was cancelled" }).waitFor();
});

browserTest("keeps an answer that a changed link cannot open, for the whole link", async () => {
  const { give, keep } = await ask();
  await answer(give, "rescued");
  // The middle of the key: three bits of its first byte do not count (RFC 7748, section 5).
  const changed = keep.replace(/(?<=\..{20})./, (letter) => (letter === "a" ? "b" : "a"));
  const { page } = await stage.open(changed);
  await press(page.getByRole("button", { name: "Read the answer" }));
  // Another link than the whole one: a part of it, and the changed one again.
  for (const wrong of [keep.slice(0, -3), changed]) {
    await page.getByLabel("Complete link").fill(stage.url + wrong);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This link does not decrypt it.").waitFor({ timeout: 9000 });
  }
  await page.getByLabel("Complete link").fill("");
  await tabTo(page.getByLabel("Complete link"));
  await page.keyboard.insertText(stage.url + keep);
  await page.keyboard.press("Enter");
  expect(await page.getByRole("region", { name: "The answer" }).textContent()).toBe("rescued");
});

browserTest("asks nobody about a cut link, and says so", async () => {
  const { give, keep } = await ask();
  for (const path of [give.slice(0, -3), keep.slice(0, -3)]) {
    const { page, requests } = await stage.open(path);
    await page.getByRole("heading", { name: "This link is incomplete" }).waitFor();
    expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  }
});

browserTest("asks before leaving while the link to keep is not copied", async () => {
  const { page } = await ask();
  await press(page.getByRole("button", { name: "Copy link to send" }));
  await press(page.getByRole("link", { name: "Tools", exact: true }));
  await page.getByText("You have not copied the link to keep").waitFor();
});
