// browser
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { createClient } from "../../client/client.ts";
import { sampled } from "../support/sampled.ts";
import { codeAt } from "../support/totp.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { PAGE_NAMES, pathOf } from "../../wire/pages.ts";
import { findLost, watchRegions } from "./support/attention.ts";
import { addAuthenticator } from "./support/authenticator.ts";
import { browserTest, loseSession, openStage, type Stage } from "./support/browser.ts";

let stage: Stage;
let image: Buffer;
beforeAll(async () => {
  stage = await openStage();
  const red = { width: 40, height: 30, channels: 3, background: "red" } as const;
  image = await sharp({ create: red }).png().toBuffer();
});
afterAll(() => stage.close());

const LOCKED = readFileSync(new URL("../files/encrypted/aes-256-r6.pdf", import.meta.url));

/** What a person does, and what they are then told; in a document that begins there is nothing to tell. */
interface Step {
  readonly run: (page: Page, links: Map<string, string>) => Promise<unknown>;
  readonly shows?: string;
}

/** The links that a page shows, by their names; at once, as they may go away. */
function linksOn(page: Page): Promise<[label: string, link: string][]> {
  return page
    .locator(".link .chip")
    .evaluateAll((chips) => chips.map((chip) => [chip.ariaLabel ?? "", chip.textContent ?? ""]));
}

/** Has what a step shows told to whoever does not see it, and the focus somewhere. */
async function walk(page: Page, steps: readonly Step[]): Promise<void> {
  const links = new Map<string, string>();
  await watchRegions(page);
  for (const { run, shows } of steps) {
    await run(page, links);
    if (shows === undefined) continue;
    await expect.poll(() => findLost(page, shows), { message: shows }).toBe("");
    for (const [label, link] of await linksOn(page)) links.set(label, link);
  }
}

function button(page: Page, name: string | RegExp): Locator {
  const main = page.locator("main");
  return main
    .getByRole("button", { name, exact: true })
    .or(main.getByRole("link", { name, exact: true }))
    .first();
}

function press(name: string | RegExp, shows: string): Step {
  return { run: (page) => button(page, name).press("Enter"), shows };
}

/** Answers the question whether the page may be left. */
const leave = (shows: string): Step => ({
  run: (page) => page.getByRole("dialog").getByRole("button", { name: "Leave" }).press("Enter"),
  shows,
});

/** Presses what asks a question first. */
const pressToAsk = (name: string): Step => ({ run: (page) => button(page, name).press("Enter") });

/** Types into a field, and sends its form. */
function enter(fields: Readonly<Record<string, string>>, shows: string): Step {
  return {
    async run(page) {
      for (const [label, value] of Object.entries(fields))
        await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByLabel(Object.keys(fields).at(-1) ?? "", { exact: true }).press("Control+Enter");
    },
    shows,
  };
}

function bytesOf(name: string): Buffer {
  if (name.endsWith("png")) return image;
  if (name === "locked.pdf") return LOCKED;
  if (name === "empty.pdf") return Buffer.alloc(0);
  return Buffer.from(name === "broken.pdf" ? "%PDF-1.7\n" : pagesPdf(3));
}

function choose(name: string, shows = name): Step {
  return {
    async run(page) {
      const input = page.locator("main input[type=file]").first();
      await input.focus();
      await input.setInputFiles({ name, mimeType: "", buffer: bytesOf(name) });
    },
    shows,
  };
}

const follow = (path: string, shows: string): Step => ({
  run: (page) => page.locator(`nav a[href="${path}"]`).press("Enter"),
  shows,
});

/** Closes a dialog that a link of the navigation has opened. */
const onNavigation = (name: string): Step => ({
  async run(page) {
    await button(page, name).press("Enter");
    await expect.poll(() => page.locator("nav a:focus").count()).toBe(1);
  },
});

/** Loads a page, or that of a link that was shown before. */
const visit = (link: string): Step => ({
  async run(page, links) {
    await page.goto("about:blank");
    await page.goto(links.get(link) ?? stage.url + link);
    await page.locator("main :is(button, input)").first().waitFor();
  },
});

const CALLS = /\/(api|trpc)\//;

const cut = (isCut: boolean): Step => ({
  run: (page) => (isCut ? page.route(CALLS, (route) => route.abort()) : page.unroute(CALLS)),
});

/** Something that happens elsewhere. */
const meanwhile = (run: Step["run"]): Step => ({ run });

/** A page that has just come takes the focus to its heading, and with it what is pressed then. */
const unfold = (name: string): Step => ({
  async run(page) {
    const summary = page.locator("summary", { hasText: name }).first();
    const isOpen = () => summary.evaluate((element) => element.closest("details")?.open);
    const open = async () => {
      if (!(await isOpen())) await summary.press("Enter");
      return isOpen();
    };
    await expect.poll(open).toBe(true);
  },
});

async function expectKept(page: Page, text: string): Promise<void> {
  expect(await page.getByLabel("What it is for", { exact: true }).inputValue()).toBe(text);
}

const SEED = "seed of the app";

async function typeCode(page: Page, links: Map<string, string>): Promise<void> {
  const seed = (await page.locator(".copyable code").textContent()) ?? "";
  links.set(SEED, seed);
  await page.getByLabel("Code", { exact: true }).fill(codeNow(seed));
}

function codeNow(seed: string): string {
  return codeAt(seed, Math.floor((Date.now() + stage.clock.ahead) / 1000));
}

/** Logs in, registers or sets a new password. */
function enterAs(mode: string, fields: Readonly<Record<string, string>>, shows: string): Step {
  const { run } = enter(fields, shows);
  return {
    async run(page, links) {
      await page.getByText(mode, { exact: true }).first().click();
      await run(page, links);
    },
    shows,
  };
}

const ADMIN = "ann-the-admin";
const NAME = "ada-the-member";
const PASSWORD = "a long password";

/** In the dialog over a page whose login has ended. */
const LOGIN_BESIDE: Step = {
  async run(page) {
    const dialog = page.getByRole("dialog", { name: "Log in" });
    await dialog.getByLabel("Name", { exact: true }).fill(NAME);
    const password = dialog.getByLabel("Password", { exact: true });
    await password.fill(PASSWORD);
    await password.press("Enter");
    await dialog.waitFor({ state: "detached" });
  },
  shows: "You are logged in again",
};

const CODE = "recovery code";
const APP_CODE = "Code of your authenticator app";

async function keepCode(page: Page, links: Map<string, string>): Promise<void> {
  links.set(CODE, (await page.locator("output").textContent()) ?? "");
}

/** Sets a new password with the recovery code that was kept. */
const RECOVERY: Step = {
  run: (page, links) =>
    enter({ "Recovery code": links.get(CODE) ?? "", "New password": PASSWORD }, "").run(page, links),
  shows: APP_CODE,
};

/** With the code of the app, which the recovery code does not stand for. One was used already, and is good once. */
const RECOVERY_CODE: Step = {
  run(page, links) {
    stage.clock.ahead += 60_000;
    return enter({ [APP_CODE]: codeNow(links.get(SEED) ?? "") }, "").run(page, links);
  },
  shows: "Keep this recovery code",
};

const FLOWS: Readonly<Record<string, readonly Step[]>> = {
  "/pdf-rotate": [
    choose("a.pdf"),
    press("Rotate", "a-rotated.pdf"),
    press("Discard result", "a.pdf"),
    press("Choose another file", "Choose"),
    choose("red.png", "Not a PDF"),
    choose("empty.pdf", "The file is empty."),
    choose("broken.pdf"),
    press("Rotate", "damaged"),
    choose("b.pdf"),
    follow("/pdf-split", "Split a PDF"),
  ],
  "/pdf-split": [
    choose("a.pdf"),
    enter({ "Pages to keep": "9" }, "page 9"),
    enter({ "Pages to keep": "1" }, "a-pages.pdf"),
  ],
  "/pdf-merge": [
    choose("a.pdf"),
    choose("b.pdf"),
    press("Merge 2 files", "merged.pdf"),
    press("Remove b.pdf", "a.pdf"),
    pressToAsk("Remove a.pdf"),
    leave("Choose"),
  ],
  "/pdf-unlock": [choose("locked.pdf", "protected"), press("Unlock", "password")],
  "/pdf-lock": [choose("a.pdf"), enter({ "New password": PASSWORD }, "a-locked.pdf")],
  "/pdf-clean": [choose("a.pdf"), press("Clean", "a-cleaned.pdf")],
  "/pdf-compress": [choose("a.pdf"), press("Compress", "a-")],
  "/image-convert": [
    choose("red.png"),
    press("Convert", "red.webp"),
    pressToAsk("Choose another file"),
    leave("Choose"),
  ],
  "/file-encrypt": [choose("a.pdf"), enter({ Password: PASSWORD }, "a.pdf.")],
  "/file-hash": [
    choose("a.pdf"),
    enter({ "Expected checksum (optional)": "a".repeat(64) }, "It does not match"),
    press("Choose another file", "Choose"),
  ],
  "/text-compare": [
    enter({ "First text": "a", "Second text": "b" }, "1 line removed"),
    enter({ "Second text": "a" }, "The texts are the same"),
  ],
  "/password": [press("Another", "Another")],
  "/": [
    enter({ "Your secret": "" }, "Type or paste something first"),
    enter({ "Your secret": "x" }, "Send this link"),
    press("Delete it now", "Delete it now"),
    press("No", "Delete it now"),
    press("Delete it now", "Delete it now"),
    press("Yes, delete it", "deleted"),
    press("Share another secret", "Share a secret"),
    choose("a.pdf"),
    press("Create link", "Send this link"),
    visit("The link"),
    press("Open the file", "a.pdf"),
    visit("/"),
    enter({ "Your secret": "x" }, "Send this link"),
    cut(true),
    visit("The link"),
    press("Try again", "cannot be reached"),
    cut(false),
    press("Try again", "A secret for you"),
    press("Open the secret", "The secret"),
    press("I have it, delete it now", "It has been deleted from the server"),
    visit("/"),
    unfold("One link per person"),
    enter({ "Your secret": "x", "One link per person": "Ada\nBob" }, "Send each their"),
    cut(true),
    press("Delete the secret for Ada", "Delete the secret for Ada"),
    press("Yes, delete it", "cannot be reached"),
    cut(false),
    press("Delete the secret for Ada", "Delete the secret for Ada"),
    press("Yes, delete it", "Deleted"),
    press("Delete the secret for Bob", "Delete the secret for Bob"),
    press("Yes, delete it", "Deleted"),
    // Ada's is shown already, and what is not deleted yet is asked about.
    meanwhile(async (page) => {
      await expect.poll(() => page.locator("main").getByText("Deleted").count()).toBe(2);
    }),
    press("Share another secret", "Share a secret"),
  ],
  "/ask": [
    press("Create request", "Send the first link"),
    press("Cancel the request", "Cancel the request"),
    press("Yes, cancel it", "Cancelled"),
    press("Ask for something else", "Ask"),
    enter({ "What do you need? (optional)": "the number" }, "Send the first link"),
    follow("/tools", "Stay here"),
    onNavigation("Stay here"),
    visit("Link to send"),
    enter({ "Your answer": "42" }, "Your answer has been sent"),
    visit("Link to keep"),
    press("Read the answer", "The answer"),
    press("I have it, delete it now", "It has been deleted from the server"),
  ],
  "/account": [
    enterAs("Log in", { Name: NAME, Password: PASSWORD }, "The name or the password is wrong"),
    enterAs("Create an account", { Name: "A", Password: PASSWORD }, "3 to 32 lower-case letters"),
    enterAs("Create an account", { Name: NAME, Password: PASSWORD }, "Keep this recovery code"),
    meanwhile(keepCode),
    press("I have saved it", NAME),
    enter({ "What it is for": "Backup" }, "The new token"),
    enter({ "What it is for": "Mail" }, "The new token"),
    press("Revoke Mail", "Revoke Mail"),
    press("Yes, revoke it", "Backup"),
    press("Revoke Backup", "Revoke Backup"),
    press("Yes, revoke it", "API tokens"),
    meanwhile((page) => addAuthenticator(page)),
    enter({ Name: "Laptop" }, "Laptop has been added"),
    press("Delete the passkey Laptop", "Delete the passkey Laptop"),
    press("Yes, delete it", "Passkeys"),
    visit("/ask"),
    press("Create request", "Send the first link"),
    visit("/account"),
    press(/^Cancel /, "Cancel "),
    press("Yes, cancel it", "Cancelled"),
    meanwhile(() => createClient(stage.url).account.login.mutate({ name: NAME, password: PASSWORD })),
    meanwhile(() => createClient(stage.url).account.login.mutate({ name: NAME, password: PASSWORD })),
    visit("/"),
    enter({ "Your secret": "x" }, "Send this link"),
    visit("/account"),
    press(/^Delete /, "Delete "),
    press("Yes, delete it", "Deleted"),
    press(/^Log out the browser/, "browser"),
    // The next button does nothing while this one works.
    meanwhile(async (page) => {
      await expect.poll(() => page.getByRole("button", { name: /^Log out the browser/ }).count()).toBe(1);
    }),
    press("Log out everywhere else", "Where you are logged in"),
    unfold("Change the password"),
    enter({ "Current password": PASSWORD, "New password": "short" }, "New password"),
    enter({ "Current password": PASSWORD, "New password": PASSWORD }, "The password has been changed"),
    press("Log out", "Account"),
    enterAs("Log in", { Name: NAME, Password: PASSWORD }, NAME),
    meanwhile(loseSession),
    enter({ "What it is for": "kept" }, "Your session has ended"),
    press("Log in", "Log in"),
    press("Cancel", "Your session has ended"),
    press("Log in", "Log in"),
    LOGIN_BESIDE,
    meanwhile((page) => expectKept(page, "kept")),
    enter({ "What it is for": "kept" }, "The new token"),
    press("Set up an app", "Code"),
    enter({ Code: "000000" }, "This code is wrong"),
    meanwhile(typeCode),
    press("Confirm", "Authenticator app"),
    meanwhile((page) => page.context().clearCookies()),
    visit("/account"),
    enterAs("Log in", { Name: NAME, Password: PASSWORD }, APP_CODE),
    press("Cancel", "Log in"),
    enterAs("Lost password", { Name: NAME, "Recovery code": "x", "New password": PASSWORD }, "is wrong"),
    RECOVERY,
    RECOVERY_CODE,
    press("I have saved it", NAME),
    unfold("Delete the account"),
    enter({ "Your password": "wrong" }, "is wrong"),
    enter({ "Your password": PASSWORD }, "Your account has been deleted"),
  ],
  "/members": [
    visit("/account"),
    enterAs("Create an account", { Name: ADMIN, Password: PASSWORD }, "Keep this recovery code"),
    meanwhile(() => stage.makeAdmin(ADMIN)),
    visit("/members"),
    unfold("Add a member"),
    enter({ Name: "bob-the-member" }, "Give this to bob-the-member"),
    press("I have given it to them", "Members"),
    unfold("Manage"),
    press("Disable", "Disable"),
    press("Yes, disable", "Enable again"),
    press("Enable again", "Disable"),
    press("Delete the account", "Delete the account"),
    meanwhile(async () => void (stage.clock.ahead += 601_000)),
    press("Yes, delete it permanently", "Password"),
    meanwhile((page) => page.getByLabel("Password", { exact: true }).fill(PASSWORD)),
    press("Delete the account", "Delete the account"),
    press("Yes, delete it permanently", ADMIN),
  ],
};

for (const [path, steps] of sampled(Object.entries(FLOWS), 6))
  browserTest(`leaves nobody behind at ${path}`, async () => {
    const { page } = await stage.open(path);
    await walk(page, steps);
  });

const TARGETS = [
  "button, summary, select, textarea, .button, .brand, nav a, .cards a, [role=option]",
  "input:not(.unseen, [type=radio], [type=checkbox]), label:has([type=radio], [type=checkbox])",
].join();

/** What is too small for a finger. */
function smallTargets(page: Page): Promise<string[]> {
  return page.locator(TARGETS).evaluateAll((targets) =>
    targets.flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      const isSmall = target.checkVisibility() && Math.min(width, height) < 43.5;
      return isSmall ? [`${location.pathname}: ${width}x${height} ${target.outerHTML.slice(0, 120)}`] : [];
    }),
  );
}

browserTest("has a place for a finger wherever one goes", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page } = await stage.open("/", phone);
  for (const path of sampled(PAGE_NAMES.map(pathOf), 8)) {
    await page.goto(stage.url + path);
    await page.locator("h1").waitFor();
    await page.locator(".loading").waitFor({ state: "detached" });
    expect(await smallTargets(page)).toEqual([]);
  }
  for (const [path, files] of [
    ["/pdf-merge", ["a.pdf", "b.pdf"]],
    ["/pdf-split", ["a.pdf"]],
    ["/image-convert", ["red.png"]],
  ] as const) {
    await page.goto(stage.url + path);
    for (const name of files) await choose(name).run(page, new Map());
    await page.locator("form.tool button.primary").waitFor();
    expect(await smallTargets(page)).toEqual([]);
  }
});

/** What is chosen, and the same that is not. */
const CHOSEN = [
  ["/password", ".choices label:has(:checked)", ".choices label:not(:has(:checked))"],
  ["/pdf-split", "nav a[aria-current]", "nav a:not([aria-current])"],
  ["/pdf-split", ".sheet[aria-pressed=true]", ".sheet[aria-pressed=false]"],
] as const;

browserTest("shows what is chosen where the reader chooses the colours", async () => {
  const { page } = await stage.open("/", { forcedColors: "active" });
  const colorOf = (place: string) =>
    page
      .locator(place)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  for (const [path, chosen, other] of CHOSEN) {
    await page.goto(stage.url + path);
    if (chosen.startsWith(".sheet")) {
      await choose("a.pdf").run(page, new Map());
      await page.locator(".sheet").first().click();
    }
    expect([chosen, await colorOf(chosen)]).not.toEqual([chosen, await colorOf(other)]);
  }
});

browserTest("shows that the secret's field has the focus where the reader chooses the colours", async () => {
  const { page } = await stage.open("/", { forcedColors: "active" });
  await page.locator("#secret").focus();
  const outline = () => page.locator(".letter").evaluate((sheet) => getComputedStyle(sheet).outlineStyle);
  await expect.poll(outline).toBe("solid");
});
