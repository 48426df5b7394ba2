import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkSite } from "../../release/site/check.ts";
import { describeWith } from "../machine/skips.ts";
import { nodePath } from "../support/runtimes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { browserTest, launchBrowser } from "../web/support/browser.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MS = 600_000;
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

/** What is said of a site with these files. */
function judge(files: Readonly<Record<string, string>>, base = "/"): string[] {
  const folder = makeTempFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return checkSite(folder, base);
}

test("a link of the documents' site that leads nowhere is told, with its page", () => {
  const index =
    '<a href="/hush/docs/cli#send">a</a><a href="/hush/docs/none">b</a><a href="https://x.example">c</a>';
  const cli = '<h2 id="open"></h2><a href="../">home</a><a href="#open">d</a>';
  expect(judge({ "index.html": index, "docs/cli.html": cli }, "/hush/")).toEqual([
    "index.html leads to /hush/docs/cli#send, where there is nothing",
    "index.html leads to /hush/docs/none, where there is nothing",
  ]);
});

test("what the documents' site would load from another host is told", () => {
  const files = {
    "index.html": '<a href="https://x.example">a link</a><img alt="" src="https://x.example/a.png">',
    "a.css": "@font-face { src: url(//fonts.example/a.woff2) }",
    "a.js": 'const link = "https://x.example"; import("https://cdn.example/a.js");',
  };
  expect(judge(files).toSorted()).toEqual([
    "a.css loads url(//fonts.example/a.woff2",
    'a.js loads import("https://cdn.example/a.js',
    'index.html loads <img alt="" src="https://x.example/a.png"',
  ]);
});

describeWith("the npm registry")("the documents' site", () => {
  let site = "";
  beforeAll(() => {
    site = join(makeTempFolder(afterAll), "site");
    const env = { ...process.env, SITE_BASE: "/hushkit/" };
    execFileSync(nodePath(), ["release/site/build.ts", site], { cwd: ROOT, env, stdio: "pipe" });
  }, MS);

  test("has a page for each document, none of whose links is broken", () => {
    const list = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" });
    const pages = list(join(site, "docs")).filter((name) => name.endsWith(".html"));
    const documents = list(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
    const expected = documents.map((name) => name.replace(/README\.md$/, "index.md").replace(".md", ".html"));
    expect(pages.toSorted()).toEqual(expected.toSorted());
    expect(readFileSync(join(site, "index.html"), "utf8")).toContain('<h1 id="hushkit"');
  });

  browserTest("finds what somebody looks for, and asks no other host for anything", async () => {
    const url = await serve(site);
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const asked = new Set<string>();
    page.on("request", (request) => void asked.add(new URL(request.url()).host));
    await page.goto(`${url}/hushkit/docs/operations`);
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("searchbox").fill("DRAIN_SECONDS");
    const first = page.locator("#localsearch-list a").first();
    await expect.poll(() => first.getAttribute("href")).toContain("/hushkit/docs/");
    expect([...asked]).toEqual([new URL(url).host]);
  });
});

/** Serves a folder below /hushkit/ as forges do: a path without an extension is a page. */
async function serve(folder: string): Promise<string> {
  const server = createServer(({ url = "/" }, response) => {
    const path = new URL(url, "http://site").pathname.replace(/^\/hushkit\//, "");
    const name = extname(path) === "" ? `${path}.html` : path;
    try {
      const data = readFileSync(join(folder, decodeURIComponent(name)));
      response
        .writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" })
        .end(data);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // Listening on a port, a server has the address of one.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
