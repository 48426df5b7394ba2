import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unlockFile } from "../../tools/crypto/unlock-file.ts";
import { makeAgeKeys } from "../../tools/age/keys.ts";
import { lockAge } from "../../tools/age/lock-age.ts";
import { PAGE_NAMES, pathOf } from "../../wire/pages.ts";
import { rotatePdf } from "../../tools/pdf-rotate.ts";
import { describeIf, describeWith, placeOf } from "../machine/skips.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { FIND_FAULTS } from "../web/support/axe.ts";
import { buildPages, startServer } from "../web/support/served.ts";
import type { Driver } from "../web/support/drivers/driver.ts";
import { openFirefox } from "../web/support/drivers/firefox.ts";
import { inPage } from "../web/support/drivers/in-page.ts";
import { openWebkit } from "../web/support/drivers/webkit.ts";

const isNode = !process.versions.deno && !process.versions.bun;

interface Browser {
  readonly name: "Firefox" | "WebKit";
  readonly open: () => Promise<Driver>;
}

/** All other tests of pages run in Chromium. */
const BROWSERS: readonly Browser[] = [
  { name: "Firefox", open: () => openFirefox(placeOf("Firefox")) },
  { name: "WebKit", open: () => openWebkit({ driver: placeOf("WebKit"), display: "Xvfb" }) },
];

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  await buildPages();
  server = await startServer({ ahead: 0 });
});
afterAll(() => server.close());

type Hands = ReturnType<typeof inPage>;

/** Has a page do something as a person would. */
async function act<Args extends unknown[], Result>(
  driver: Driver,
  work: (hands: Hands, ...args: Args) => Promise<Result>,
  ...args: Args
): Promise<Result> {
  const hands = `(globalThis.hands ??= (${inPage.toString()})())`;
  // What a function gives in a page comes back as JSON.
  return (await driver.call(`(...args) => (${work.toString()})(${hands}, ...args)`, args)) as Result;
}

/** Goes to a page, until it is alive: what is done before that, `alive.test.ts` tries. */
async function goTo(driver: Driver, url: string): Promise<void> {
  await driver.goTo(url);
  await act(driver, ({ live }) => live());
}

/** What axe finds on the shown page. */
async function faults(driver: Driver): Promise<unknown> {
  return driver.call(`() => ${FIND_FAULTS}`, [], { isApart: true });
}

interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

async function choose(driver: Driver, { name, type, bytes }: GivenFile): Promise<void> {
  const base64 = Buffer.from(bytes).toString("base64");
  await act(driver, (hands, ...file: [string, string, string]) => hands.choose(...file), name, type, base64);
}

async function result(driver: Driver): Promise<{ name: string; bytes: Buffer }> {
  const { name, base64 } = await act(driver, (hands) => hands.result());
  return { name, bytes: Buffer.from(base64, "base64") };
}

for (const { name, open } of BROWSERS) {
  const inBrowser = isNode ? describeWith(name) : describeIf(false, "browsers are driven from Node");
  inBrowser(`in ${name}`, () => {
    let driver: Driver;
    beforeAll(async () => {
      driver = await open();
    });
    afterAll(() => driver.close());

    test("a text is shared and opened", async () => {
      await goTo(driver, server.url);
      const link = await act(driver, async ({ fill, press, textOf }) => {
        await fill("Your secret", "for one browser only");
        await press("Create link");
        return textOf("The link");
      });
      expect(await faults(driver)).toEqual([]);
      await goTo(driver, link);
      await act(driver, async ({ press, see }) => {
        await press("Open the secret");
        await see("for one browser only");
      });
      expect(await faults(driver)).toEqual([]);
    });

    test("every page has nothing that axe finds, and is no wider than the window", async () => {
      for (const page of PAGE_NAMES) {
        await goTo(driver, server.url + pathOf(page));
        expect([page, await faults(driver)]).toEqual([page, []]);
        const surplus = await driver.call("() => document.documentElement.scrollWidth - innerWidth", []);
        expect([page, Math.max(0, Number(surplus))]).toEqual([page, 0]);
      }
    });

    test("pages are turned", async () => {
      const pdf = pagesPdf(3);
      await goTo(driver, `${server.url}/pdf-rotate`);
      await choose(driver, { name: "scan.pdf", type: "application/pdf", bytes: pdf });
      await act(driver, ({ press }) => press("Rotate"));
      const { name, bytes } = await result(driver);
      expect(name).toBe("scan-rotated.pdf");
      expect(bytes.equals((await rotatePdf(pdf, { angle: 90 })).bytes)).toBe(true);
      expect(await faults(driver)).toEqual([]);
    });

    test("a file is checked", async () => {
      const bytes = Buffer.alloc(100_000, "hush");
      await goTo(driver, `${server.url}/file-hash`);
      await choose(driver, { name: "data.bin", type: "", bytes });
      const digest = createHash("sha256").update(bytes).digest("hex");
      await act(driver, ({ see }, text) => see(text), digest);
      expect(await faults(driver)).toEqual([]);
    });

    test("an image becomes WebP", async () => {
      const red = { create: { width: 40, height: 30, channels: 3, background: "#c33" } } as const;
      const png = await sharp(red).png().toBuffer();
      await goTo(driver, `${server.url}/image-convert`);
      await choose(driver, { name: "red.png", type: "image/png", bytes: png });
      await act(driver, ({ press }) => press("Convert"));
      const { name, bytes } = await result(driver);
      expect(name).toBe("red.webp");
      const { format, width, height } = await sharp(bytes).metadata();
      expect({ format, width, height }).toEqual({ format: "webp", width: 40, height: 30 });
      expect(await faults(driver)).toEqual([]);
    });

    test("a file is locked", async () => {
      const content = Buffer.from("kept behind a password");
      await goTo(driver, `${server.url}/file-encrypt`);
      await choose(driver, { name: "note.txt", type: "text/plain", bytes: content });
      await act(driver, async ({ fill, press }) => {
        await fill("Password", "open sesame");
        await press("Encrypt");
      });
      const locked = await result(driver);
      const opened = await unlockFile(new Uint8Array(locked.bytes), { password: "open sesame" });
      expect(opened.filename).toBe("note.txt");
      expect(Buffer.from(opened.bytes).equals(content)).toBe(true);
      expect(await faults(driver)).toEqual([]);
    });

    test("a file of age is opened, for a recipient and with a passphrase, and a wrong one is told", async () => {
      const content = new Uint8Array(Buffer.alloc(200_000, "kept by age"));
      const { identity, recipient } = await makeAgeKeys();
      const open = async (bytes: Uint8Array, field: string, key: string) => {
        await goTo(driver, `${server.url}/file-encrypt`);
        await choose(driver, { name: "note.txt.age", type: "", bytes });
        await act(driver, ({ fill }, ...typed) => fill(...typed), field, key);
        await act(driver, ({ press }) => press("Decrypt"));
      };
      await open(
        (await lockAge(content, { recipients: recipient })).bytes,
        "Secret keys, one in a line",
        identity,
      );
      expect((await result(driver)).bytes.equals(content)).toBe(true);
      const { bytes: byPassphrase } = await lockAge(content, { password: "open sesame" });
      await open(byPassphrase, "Password", "close sesame");
      await act(driver, ({ see }) => see("That password is wrong."));
      await open(byPassphrase, "Password", "open sesame");
      const { name, bytes } = await result(driver);
      expect(name).toBe("note.txt");
      expect(bytes.equals(content)).toBe(true);
      expect(await faults(driver)).toEqual([]);
    });

    test("a tool is found, and a dropped file goes to the tool that is chosen", async () => {
      await goTo(driver, `${server.url}/tools`);
      await act(driver, async ({ see, fill }) => {
        await see("All tools");
        const isControl = { ctrlKey: true, metaKey: true };
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ...isControl, bubbles: true }));
        await fill("Page or tool", "checksum");
        await see("Check a file");
        const field = document.querySelector("dialog input");
        const enter = { key: "Enter", bubbles: true, cancelable: true };
        field?.dispatchEvent(new KeyboardEvent("keydown", enter));
        await see("Find out whether a download is complete");
      });
      await goTo(driver, `${server.url}/tools`);
      await act(driver, async ({ see, press }) => {
        await see("All tools");
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["abc"], "abc.bin"));
        const drop = { dataTransfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent("drop", drop));
        await press("Checksum");
        await see("900150983cd24fb0d6963f7d28e17f72");
      });
      expect(await faults(driver)).toEqual([]);
    });

    test("the language is changed, and changed back", async () => {
      await goTo(driver, `${server.url}/tools`);
      await act(driver, async ({ pick, see }) => {
        await pick("Language", "ar");
        await see("تشفير ملف");
      });
      expect(await faults(driver)).toEqual([]);
      await act(driver, async ({ pick, see }) => {
        await pick("اللغة", "en");
        await see("Encrypt a file");
      });
    });
  });
}
