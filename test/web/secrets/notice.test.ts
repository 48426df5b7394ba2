// browser
import { afterAll, beforeAll, expect } from "vitest";
import { createClient } from "../../../client/client.ts";
import { parseLink } from "../../../wire/links/links.ts";
import { browserTest, OFFLINE_TOO, openStage, type Stage } from "../support/browser.ts";
import { lookAgain } from "../support/look-again.ts";

const SHOWS_NOTIFICATIONS = "a Chromium with windows";
const noticeTest = (name: string, run: () => Promise<void>) => browserTest(name, run, SHOWS_NOTIFICATIONS);

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({}, SHOWS_NOTIFICATIONS);
});
afterAll(() => stage.close());

noticeTest("notifies who has sent a secret when it is opened, while another page is in front", async () => {
  const { page, complaints } = await stage.open("/", OFFLINE_TOO);
  await page.context().grantPermissions(["notifications"]);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.clock.install();
  await page.getByLabel("Your secret", { exact: true }).fill("watched from afar");
  await page.getByRole("button", { name: "Create link" }).click();
  const parsed = parseLink(await page.getByLabel("The link", { exact: true }).innerText());
  if (parsed.is !== "complete") throw new Error("The page showed no whole link");
  await page.getByRole("button", { name: "Tell me when it is opened" }).click();
  await page.getByText("This browser tells you when it is opened").waitFor();
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const { id, key } = parsed.link;
  await createClient(stage.url).secrets.reveal.mutate({ id, key });
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      return (await worker.getNotifications()).map(({ title, body, data }) => ({
        title,
        body,
        data: String(data.url),
      }));
    });
  // It goes on asking now and then, by its own clock.
  await page.clock.runFor(60_000);
  await expect
    .poll(shown)
    .toEqual([{ title: "Hushkit", body: "Your secret was opened.", data: `${stage.url}/` }]);
  expect(JSON.stringify(await shown())).not.toContain("watched");
  expect(complaints).toEqual([]);
});

noticeTest("counts on the icon of the installed pages what happened while nobody looked", async () => {
  const { page } = await stage.open("/");
  // Otherwise a stream that is open already may tell too.
  await page.route("**/events", (route) => route.abort());
  await page.evaluate(() => {
    const counts: number[] = [];
    const set = async (count: number) => void counts.push(count);
    Object.assign(navigator, { setAppBadge: set, clearAppBadge: () => set(0) });
    Object.assign(globalThis, { counts });
  });
  const shown = () => page.evaluate(() => (globalThis as unknown as { counts: number[] }).counts.at(-1));
  await page.getByLabel("Your secret", { exact: true }).fill("counted");
  await page.getByRole("button", { name: "Create link" }).click();
  const parsed = parseLink(await page.getByLabel("The link", { exact: true }).innerText());
  if (parsed.is !== "complete") throw new Error("The page showed no whole link");
  const { id, key } = parsed.link;
  // The page asks once more while its window is covered, and is told then.
  await page.route("**/trpc/secrets.status*", async (route) => {
    await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true, configurable: true }));
    await createClient(stage.url)
      .secrets.reveal.mutate({ id, key })
      .catch(() => undefined);
    await route.continue();
  });
  await lookAgain(page);
  await expect.poll(shown).toBe(1);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(shown).toBe(0);
});

noticeTest("asks nobody for a permission by itself", async () => {
  const { page } = await stage.open("/");
  await page.context().grantPermissions(["notifications"]);
  await page.getByLabel("Your secret", { exact: true }).fill("unwatched");
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByRole("button", { name: "Tell me when it is opened" }).waitFor();
});

noticeTest("shows a member first what has happened since the last look, the latest first", async () => {
  const { page } = await stage.open("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("reader");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByLabel("What it is for").fill("test");
  await page.getByRole("button", { name: "Create token" }).click();
  const token = await page.getByLabel("The new token").inputValue();
  const member = createClient(stage.url, { token });
  const made: Awaited<ReturnType<typeof member.secrets.create.mutate>>[] = [];
  const make = async () => made.push(await member.secrets.create.mutate({ content: "a" }));
  for (let i = 0; i < 3; i++) await make();
  const look = async () => {
    await page.goto(`${stage.url}/account`);
    await page.getByRole("region", { name: "Your secrets" }).getByRole("listitem").first().waitFor();
  };
  const own = page.getByRole("region", { name: "Your secrets" });
  const shown = async () => {
    const rows = await own.getByRole("listitem").all();
    return Promise.all(
      rows.map(async (row) => {
        const text = (await row.textContent()) ?? "";
        const at = made.findIndex(({ id }) => text.includes(id));
        // An id may hold the word by chance.
        const isNew = (await row.getByText("New", { exact: true }).count()) > 0;
        return `${at}${isNew ? " new" : ""}`;
      }),
    );
  };
  const open = (at: number) =>
    createClient(stage.url).secrets.reveal.mutate({ id: made[at]!.id, key: made[at]!.key });
  await look();
  await expect.poll(async () => (await shown()).toSorted()).toEqual(["0", "1", "2"]);
  stage.clock.ahead += 5_000;
  await open(1);
  stage.clock.ahead += 5_000;
  await open(0);
  // It is on the first page no more.
  for (let i = 0; i < 20; i++) await make();
  const { gate, answerer } = { gate: "g".repeat(43), answerer: createClient(stage.url) };
  const { id } = await member.requests.create.mutate({ gate });
  await look();
  await expect.poll(async () => (await shown()).slice(0, 2)).toEqual(["0 new", "1 new"]);
  expect((await shown()).filter((row) => row.includes("new"))).toHaveLength(2);
  // What a member ends is no news.
  await own
    .getByRole("button", { name: /^Delete/ })
    .first()
    .click();
  await own.getByRole("button", { name: "Yes, delete it" }).click();
  await own.getByText("Deleted").waitFor();
  expect((await shown()).filter((row) => row.includes("new"))).toHaveLength(2);
  const asked = page.getByRole("region", { name: "Your requests" });
  await asked.getByText(id).waitFor();
  stage.clock.ahead += 5_000;
  await answerer.requests.answer.mutate({ id, gate, content: `r1.${"A".repeat(400)}` });
  await look();
  await asked.getByText("New", { exact: true }).waitFor();
  await look();
  await asked.getByText(id).waitFor();
  expect(await page.getByText("New", { exact: true }).count()).toBe(0);
});
