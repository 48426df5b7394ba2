// browser
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, OFFLINE_TOO, openStage, type Stage } from "../support/browser.ts";
import { onFreePort } from "../support/on-free-port.ts";

const BASE = "/hush";
let stage: Stage;
beforeAll(async () => {
  // The server answers below its path by itself; nothing of the host is outside of it here.
  stage = await onFreePort((port) => openStage({ publicUrl: `http://localhost:${port}${BASE}`, port }));
});
afterAll(() => stage.close());

interface Shared {
  readonly text?: string;
  readonly url?: string;
  readonly files?: readonly { readonly name: string; readonly type: string; readonly bytes: number[] }[];
}

const PDF = { name: "a.pdf", type: "application/pdf", bytes: [...pagesPdf(2)] };

async function openInstalled(): Promise<{ page: Page; requests: string[]; complaints: string[] }> {
  const opened = await stage.open("/tools", OFFLINE_TOO);
  await opened.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  return opened;
}

/** Sends the form that a device sends to an installed page, as the web manifest describes it. */
async function share(page: Page, shared: Shared): Promise<void> {
  const arrived = page.waitForEvent("framenavigated");
  await page.evaluate(async ({ text = "", url = "", files = [] }) => {
    const { href = "" } = document.querySelector<HTMLLinkElement>("link[rel=manifest]") ?? {};
    const manifest: { share_target: { action: string } } = await (await fetch(href)).json();
    const form = document.createElement("form");
    form.action = new URL(manifest.share_target.action, href).href;
    form.method = "post";
    form.enctype = "multipart/form-data";
    const field = (name: string, type: string) => {
      const input = document.createElement("input");
      form.append(Object.assign(input, { name, type }));
      return input;
    };
    field("title", "text").value = "A title";
    field("text", "text").value = text;
    field("url", "text").value = url;
    const list = new DataTransfer();
    for (const { name, type, bytes } of files)
      list.items.add(new File([new Uint8Array(bytes)], name, { type }));
    if (files.length > 0) field("file", "file").files = list.files;
    document.body.append(form);
    form.submit();
  }, shared);
  await arrived;
}

browserTest("lets a shared PDF choose its tool, and sends it nowhere", async () => {
  const { page, requests, complaints } = await openInstalled();
  await share(page, { files: [PDF] });
  await page.getByRole("heading", { name: "Shared with Hushkit" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${BASE}/received`);
  await page.getByText("a.pdf", { exact: true }).waitFor();
  for (const name of ["Share it", "Merge", "Split", "Unlock"])
    await page.getByRole("main").getByRole("button", { name, exact: true }).waitFor();
  await page.getByRole("main").getByRole("button", { name: "Rotate", exact: true }).click();
  // Until then the button that leads here, which has the same name, is there.
  await page.getByRole("heading", { name: "Rotate a PDF" }).waitFor();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await page.getByText("a-rotated.pdf", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Save", exact: true }).click();
  await page.goBack();
  await page.getByRole("main").getByRole("button", { name: "Merge", exact: true }).waitFor();
  expect(requests.filter((each) => each.startsWith("POST") && !each.endsWith("/received"))).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("opens a shared photo where it is converted, several PDFs where they are merged", async () => {
  const { page } = await openInstalled();
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
  await share(page, { files: [{ name: "a.jpg", type: "image/jpeg", bytes: [...photo] }], text: "Look" });
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await page.getByText("a.webp", { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${BASE}/image-convert`);
  await page.getByRole("link", { name: "Save", exact: true }).click();
  await share(page, { files: [PDF, { ...PDF, name: "b.pdf" }] });
  await page.getByRole("button", { name: "Merge 2 files" }).waitFor();
});

browserTest("puts a shared text and its address into the secret, and opens none by itself", async () => {
  const { page, requests } = await openInstalled();
  await share(page, { text: "the code is 0000", url: "https://example.org/" });
  await page.getByLabel("Your secret", { exact: true }).waitFor();
  expect(await page.getByLabel("Your secret", { exact: true }).inputValue()).toBe(
    "the code is 0000\nhttps://example.org/",
  );
  expect(requests.filter((each) => each.includes("/api/secrets"))).toEqual([]);
});

browserTest(
  "says that nothing has arrived where no service worker has kept it, or a second time",
  async () => {
    const { page } = await stage.open("/s/q7Zk2PfW0LxT8nBy");
    await share(page, { files: [PDF] });
    await page.getByText("Nothing has arrived").waitFor();
    expect(new URL(page.url()).pathname).toBe(`${BASE}/received`);
    const { page: again } = await openInstalled();
    await share(again, { files: [PDF] });
    await again.getByText("a.pdf", { exact: true }).waitFor();
    await again.reload();
    await again.getByText("Nothing has arrived").waitFor();
  },
);

/** A page of another site that sends the form of the share target when it is opened. */
async function openForeign(page: Page, attributes: string): Promise<void> {
  const action = `${stage.url}/received`;
  const form = `<form method="post" enctype="multipart/form-data" action="${action}" ${attributes}>
    <input name="text" value="pay to another account"><input type="file" name="file"></form>
    <script>
      const list = new DataTransfer();
      list.items.add(new File(["%PDF-1.7"], "planted.pdf", { type: "application/pdf" }));
      document.querySelector("input[type=file]").files = list.files;
    </script>`;
  await page.route("http://foreign.test/**", (route) =>
    route.fulfill({ contentType: "text/html", body: form }),
  );
  await page.goto("http://foreign.test/");
}

browserTest("takes nothing that the form of another site has sent, with or without a referrer", async () => {
  const { page } = await openInstalled();
  for (const attributes of ["", 'rel="noreferrer"', 'target="_blank"', 'rel="noreferrer" target="_blank"']) {
    await openForeign(page, attributes);
    const opened = attributes.includes("_blank") ? page.context().waitForEvent("page") : page;
    await page.evaluate(() => document.querySelector("form")?.submit());
    const shown = await opened;
    await shown.getByText("Nothing has arrived").waitFor();
    expect([attributes, new URL(shown.url()).search]).toEqual([attributes, ""]);
    // Nor does a page of ours that is opened afterwards find it.
    await shown.goto(`${stage.url}/received`);
    await shown.getByText("Nothing has arrived").waitFor();
    expect(await shown.getByText("planted.pdf").count()).toBe(0);
  }
});

browserTest("takes what is shared without a network", async () => {
  const { page } = await openInstalled();
  await page.context().setOffline(true);
  await share(page, { files: [PDF] });
  await page.getByText("a.pdf", { exact: true }).waitFor();
});

browserTest(
  "takes the name of what was shared off the address unless the browser or the pages began it",
  async () => {
    const ask = async (site?: string) => {
      const headers = { accept: "text/html", ...(site ? { "sec-fetch-site": site } : {}) };
      const { status, headers: got } = await fetch(
        `http://127.0.0.1:${stage.port}${BASE}/received?shared=x`,
        {
          ...{ headers, redirect: "manual" as const },
        },
      );
      return [site, status, got.get("location")];
    };
    const page = `${BASE}/received`;
    for (const site of ["none", "same-origin"]) expect(await ask(site)).toEqual([site, 200, null]);
    for (const site of ["same-site", "cross-site", undefined])
      expect(await ask(site)).toEqual([site, 303, page]);
  },
);

// A browser hands files to installed pages only, so the test takes its part.
browserTest("takes a file that the system opens with the pages", async () => {
  const { page } = await stage.open("/tools");
  await page.addInitScript(() => {
    const getFile = async () => new File(["%PDF-1.7"], "opened.pdf", { type: "application/pdf" });
    const setConsumer = (consume: (launch: object) => void) => consume({ files: [{ getFile }] });
    Object.defineProperty(globalThis, "launchQueue", { value: { setConsumer } });
  });
  await page.goto(`${stage.url}/received`);
  await page.getByText("opened.pdf", { exact: true }).waitFor();
});

browserTest(
  "has a manifest in which the browser finds no fault, and icons of the sizes that it says",
  async () => {
    const { page } = await openInstalled();
    const session = await page.context().newCDPSession(page);
    const { url, data = "", errors } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(new URL(url).pathname).toBe(`${BASE}/manifest.webmanifest`);
    type Picture = { src: string; sizes: string; type: string };
    const manifest = JSON.parse(data) as Record<"icons" | "screenshots", Picture[]> & {
      shortcuts: { url: string; icons: Picture[] }[];
      file_handlers: { action: string; accept: Record<string, string[]> }[];
    };
    const [handler] = manifest.file_handlers;
    expect(Object.values(handler?.accept ?? {}).flat()).toEqual(
      expect.arrayContaining([".pdf", ".png", ".heic", ".locked", ".age"]),
    );
    for (const to of [handler?.action ?? "", ...manifest.shortcuts.map((each) => each.url)]) {
      const { pathname } = new URL(to, `http://127.0.0.1:${stage.port}${BASE}/`);
      const answer = await fetch(`http://127.0.0.1:${stage.port}${pathname}`, {
        headers: { accept: "text/html" },
      });
      expect([to, answer.status]).toEqual([to, 200]);
    }
    const pictures = [
      ...manifest.icons,
      ...manifest.screenshots,
      ...manifest.shortcuts.flatMap((each) => each.icons),
    ];
    for (const { src, sizes, type } of pictures) {
      const answer = await fetch(new URL(src, `http://127.0.0.1:${stage.port}${BASE}/`));
      // A manifest names the type alone.
      const [sentAs] = (answer.headers.get("content-type") ?? "").split(";");
      expect([src, sentAs]).toEqual([src, type]);
      const { width, height } = await sharp(await answer.arrayBuffer()).metadata();
      if (sizes !== "any") expect(`${width}x${height}`).toBe(sizes);
    }
  },
);
