// slow
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { PLACES } from "../../../adapters/places.ts";
import { createLog } from "../../../adapters/operations/log.ts";
import { createAdapter } from "../../../adapters/service/adapter.ts";
import { createRequestContext } from "../../../adapters/service/request-context.ts";
import { openPages } from "../../../adapters/service/pages/files.ts";
import { pageRoutes } from "../../../adapters/service/pages/routes.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { PAGE_NAMES, pathOf } from "../../../wire/pages.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { buildPages } from "../support/served.ts";

const HTML = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

const openFresh = () => openPages({ build: false, note: () => {} });

describe("pages that are built", () => {
  let service: Harness;
  beforeAll(async () => {
    await buildPages();
    service = await startHarness();
  });
  afterAll(() => service.close());

  test.each([
    ...PAGE_NAMES.map(pathOf),
    "/s/q7Zk2PfW0LxT8nBy",
    "/s/q7Zk2PfW0LxT8nBy%233mJrV9aQeXcT5uWzHs0KdL",
  ])("serves %s under a policy without unsafe words", async (path) => {
    const response = await service.request(path, HTML);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const html = await response.text();
    expect(html).not.toMatch(/\son\w+=| style=/);
    // What stands in the page itself runs, and is followed, by its digest alone.
    const inside = [...html.matchAll(/<(script|style)>([^]*?)<\/\1>/g)];
    expect(inside.map(([, what]) => what)).toEqual(["script", "style"]);
    for (const [, what = "", text = ""] of inside)
      expect(policy).toContain(
        `${what}-src 'self' 'sha256-${createHash("sha256").update(text).digest("base64")}'`,
      );
  });

  test.each(["/r/", "/s/", "/nowhere/"])(
    "are the same behind every link but for its form: %s",
    async (path) => {
      const htmlOf = async (id: string) => (await service.request(path + id, HTML)).text();
      const [one, other] = [await htmlOf("q7Zk2PfW0LxT8nBy"), await htmlOf("W0LxT8nByq7Zk2Pf")];
      expect(one.replace("q7Zk2PfW0LxT8nBy", "W0LxT8nByq7Zk2Pf")).toBe(other);
      expect(one.replace(/<form[^>]*>/, "")).not.toContain("q7Zk2PfW0LxT8nBy");
    },
  );

  test("tells a terminal at / how to call it, and a browser shows the page", async () => {
    expect(await (await service.request("/")).text()).toContain("curl --data-binary");
    expect(await (await service.request("/", HTML)).text()).toContain("<!doctype html>");
  });

  function placePages(): string {
    const place = PLACES.pages;
    const folder = makeTempFolder();
    onTestFinished(() => void Object.assign(PLACES, { pages: place }));
    Object.assign(PLACES, { pages: pathToFileURL(`${folder}/`) });
    return folder;
  }

  test("read large assets when they are asked for, and send nothing else under the tag of the first", async () => {
    // As if the garbage collector had run after each answer.
    vi.stubGlobal(
      "WeakRef",
      class {
        readonly deref = () => undefined;
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const folder = placePages();
    mkdirSync(join(folder, "assets"));
    const [small, large] = [join(folder, "assets/small.js"), join(folder, "assets/large.js")];
    writeFileSync(join(folder, "stamp.txt"), "large");
    writeFileSync(small, "small");
    writeFileSync(large, "a".repeat(65_536));
    const own = await startHarness();
    onTestFinished(() => own.close());
    writeFileSync(small, "other");
    writeFileSync(large, "b".repeat(65_536));
    expect(await (await own.request("/assets/small.js")).text()).toBe("small");
    const packed = { headers: { "accept-encoding": "br" } };
    const first = await own.request("/assets/large.js", packed);
    expect(brotliDecompressSync(new Uint8Array(await first.arrayBuffer())).toString()).toBe(
      "b".repeat(65_536),
    );
    const pages = await openFresh();
    const file = pages.file("/assets/large.js")!;
    const digest = await file.digest();
    writeFileSync(large, "c".repeat(65_536));
    await expect(file.read()).rejects.toMatchObject({ code: "not_found" });
    expect((await own.request("/assets/large.js")).status).toBe(404);
    rmSync(large);
    expect((await own.request("/assets/large.js")).status).toBe(404);
    // As any failure of the disk or of descriptors, which has to be in the log.
    mkdirSync(large);
    expect((await own.request("/assets/large.js")).status).toBe(500);
    rmSync(large, { recursive: true });
    // Who takes it packed gets what was packed, which is what the tag says.
    const again = await own.request("/assets/large.js", packed);
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(again.headers.get("etag")).toBe(`"${digest}-br"`);
    writeFileSync(large, "b".repeat(65_536));
    expect(await (await own.request("/assets/large.js")).text()).toBe("b".repeat(65_536));
  });

  test("are read and packed once for all services of a process, until they are built anew", async () => {
    const [one, other] = [await openFresh(), await openFresh()];
    expect(other.file("/index.html")).toBe(one.file("/index.html"));
    const folder = placePages();
    for (const stamp of ["first", "second"]) {
      writeFileSync(join(folder, "stamp.txt"), stamp);
      writeFileSync(join(folder, "index.html"), stamp);
      const bytes = await (await openFresh()).file("/index.html")!.read();
      expect(new TextDecoder().decode(bytes)).toBe(stamp);
    }
  });

  test("sends assets packed to who takes that, for ever under their digest", async () => {
    const html = await (await service.request("/", HTML)).text();
    const path = /\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? "";
    const packed = await service.request(path, { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const stream = packed.body?.pipeThrough(new DecompressionStream("gzip"));
    const smaller = await service.request(path, { headers: { "accept-encoding": "gzip, br" } });
    expect(smaller.headers.get("content-encoding")).toBe("br");
    const unpacked = brotliDecompressSync(new Uint8Array(await smaller.arrayBuffer()));
    const plain = await service.request(path);
    expect(plain.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const text = await plain.text();
    expect(await new Response(stream).text()).toBe(text);
    expect(unpacked.toString()).toBe(text);
  });

  test.each([
    ["/favicon.svg", "cross-origin"],
    ["/icon-192.png", "cross-origin"],
    ["/preview.png", "cross-origin"],
    ["/offline.js", "same-origin"],
    ["/manifest.webmanifest", "same-origin"],
  ])("lets nobody frame %s, and embed it: %s", async (path, policy) => {
    const { status, headers } = await service.request(path);
    expect(status).toBe(200);
    expect(headers.get("cross-origin-resource-policy")).toBe(policy);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  test("says in which characters its icon is written", async () => {
    const { headers } = await service.request("/favicon.svg");
    expect(headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
  });

  test("names in the head what the page asks for next, in the language of the person", async () => {
    const headers = { ...HTML.headers, "accept-language": "de-AT" };
    const docs = await service.request("/docs", { headers });
    const links = (docs.headers.get("link") ?? "").split(", ");
    expect(links[0]).toBe("</api/openapi.json>; rel=preload; as=fetch; crossorigin");
    expect(links[1]).toBe("</api/instance>; rel=preload; as=fetch; crossorigin");
    const files = links.slice(2).map((link) => {
      const [, path = "", how] = /^<(.+?)>; (.+)$/.exec(link) ?? [];
      expect([path, how]).toEqual([expect.stringMatching(/\.js$/), "rel=modulepreload"]);
      return path;
    });
    // Its styles are in the page, and named for the scripts that would load them.
    const html = await docs.text();
    const [, style = ""] = /<link rel="stylesheet" disabled href="(\/assets\/docs-[^"]+)"/.exec(html) ?? [];
    expect(html).toContain((await (await service.request(style)).text()).trim());
    expect(files.filter((path) => path.startsWith("/assets/docs-"))).toHaveLength(1);
    expect(files.filter((path) => /^\/assets\/[a-z]{2}-/.test(path))).toEqual([
      expect.stringMatching(/^\/assets\/de-/),
      expect.stringMatching(/^\/assets\/de-/),
    ]);
    for (const path of files) expect((await service.request(path)).status).toBe(200);
    const unknown = await service.request("/no-such-page", HTML);
    expect(unknown.headers.get("link")).toBe(null);
  });

  test("lets WebAssembly be compiled in workers and nowhere else", async () => {
    const page = await service.request("/file-hash", HTML);
    const worker = await service.request("/offline.js");
    const [, path = ""] =
      /src="(\/assets\/base[^"]*)|href="(\/assets\/base[^"]*)/.exec(await page.text()) ?? [];
    const script = await service.request(path);
    expect(script.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(page.headers.get("content-security-policy")).not.toContain("wasm");
    expect(worker.headers.get("content-security-policy")).toContain("'wasm-unsafe-eval'");
  });

  test.each([
    "/assets/none.js",
    "/assets/..%2fstamp.txt",
    "/assets/%2e%2e/index.html",
    "/stamp.txt",
    "/preloads.json",
  ])("has nothing at %s", async (path) => {
    expect((await service.request(path)).status).toBe(404);
  });

  test("lets search engines list what everybody sees, and only where the operator says so", async () => {
    const listed = await startHarness({ settings: { INDEX: "on" } });
    onTestFinished(() => listed.close());
    const told = async (at: Harness, path: string) =>
      (await at.request(path, HTML)).headers.get("x-robots-tag");
    for (const path of ["/", "/pdf-merge", "/how-it-works"])
      expect([await told(service, path), await told(listed, path)]).toEqual(["noindex", null]);
    for (const path of ["/account", "/members", "/s/q7Zk2PfW0LxT8nBy", "/r/q7Zk2PfW0LxT8nBy", "/nowhere"])
      expect([path, await told(listed, path)]).toEqual([path, "noindex"]);
    // A robot that may not load a page would see neither the header nor what a chat shows.
    for (const at of [service, listed])
      expect(await (await at.request("/robots.txt")).text()).toBe(
        "User-agent: *\nDisallow: /api/\nDisallow: /trpc/\n",
      );
  });

  test.each(["/", "/s/q7Zk2PfW0LxT8nBy"])(
    "describes %s to chats, with a picture that is there",
    async (path) => {
      const html = await (await service.request(path, HTML)).text();
      const [, picture = ""] = /property="og:image" content="(http[^"]+)"/.exec(html) ?? [];
      expect((await service.request(new URL(picture).pathname)).headers.get("content-type")).toBe(
        "image/png",
      );
      expect(html).toMatch(/property="og:description"\s+content="[^"]{40,}"/);
    },
  );

  test.each(["%23key", "/%23key", "%2523key", "/%2523key.inner"])(
    'a link whose "#" has become %s leads to its page, and any other path below it nowhere',
    async (moved) => {
      for (const link of ["/s/q7Zk2PfW0LxT8nBy", "/r/q7Zk2PfW0LxT8nBy", "/r/q7Zk2PfW0LxT8nBy/collect"]) {
        const shown = await service.request(link + moved, HTML);
        expect(shown.status, link).toBe(200);
        const titleOf = async (response: Response) => /<title>.*?</.exec(await response.text())?.[0];
        expect(await titleOf(shown)).toBe(await titleOf(await service.request(link, HTML)));
        for (const init of [HTML, {}, { method: "POST" }])
          expect((await service.request(`${link}/key`, init)).status, `${link}/key`).toBe(404);
      }
    },
  );

  test.each(["", "/"])("offers the key of a rewritten link in the form without script: %s", async (slash) => {
    const link = `q7Zk2PfW0LxT8nBy${slash}%233mJrV9aQeXcT5uWzHs0KdL`;
    const html = await (await service.request(`/s/${link}`, HTML)).text();
    expect(html).toContain('action="/api/secrets/q7Zk2PfW0LxT8nBy/reveal?raw=true"');
    expect(html).toContain('value="3mJrV9aQeXcT5uWzHs0KdL"');
    const hostile = await service.request(`/s/${encodeURIComponent('x"><script>alert(1)</script>')}`, HTML);
    expect(await hostile.text()).not.toContain("<script>alert");
  });

  test("shows a person who is lost where everything is, and tells a program in JSON", async () => {
    const shown = await service.request("/no-such-page", HTML);
    expect(shown.status).toBe(404);
    expect(shown.headers.get("content-type")).toContain("text/html");
    for (const [path, init] of [
      ["/no-such-page", {}],
      ["/api/no-such-path", HTML],
      ["/no-such-page", { ...HTML, method: "POST" }],
    ] as const) {
      const told = await service.request(path, init);
      expect(told.status).toBe(404);
      expect(told.headers.get("content-type")).toContain("application/json");
    }
  });

  test("reads nothing by serving the page of a secret", async () => {
    const { id, key } = await service.client().secrets.create.mutate({ content: "still unread" });
    for (const method of ["GET", "HEAD", "OPTIONS"]) await service.request(`/s/${id}`, { ...HTML, method });
    const { status } = await service.client().secrets.status.mutate({ id, key });
    expect(status).toBe("active");
  });
});

test("builds pages that are fresh no second time", async () => {
  await buildPages();
  const stamp = new URL("../../../web/dist/pages/stamp.txt", import.meta.url);
  const { mtimeMs } = statSync(stamp);
  await buildPages();
  expect(statSync(stamp).mtimeMs).toBe(mtimeMs);
});

test("removes what builders have left that were ended in the middle, and nothing of those that run", async () => {
  const left = new URL("../../../web/dist/fresh.99999999/assets/", import.meta.url);
  const running = new URL(`../../../web/dist/fresh.${process.pid}/`, import.meta.url);
  onTestFinished(() => rmSync(running, { recursive: true, force: true }));
  for (const place of [left, running]) mkdirSync(place, { recursive: true });
  await buildPages();
  expect([existsSync(left), existsSync(running)]).toEqual([false, true]);
});

test("shows while the pages are being built that they are, and looks again, under a policy of its own", async () => {
  const service = await startHarness();
  onTestFinished(() => service.close());
  const pages = { file: () => undefined, scripts: () => [], state: () => "building" as const };
  const start = pageRoutes(pages, service.services).find(({ path }) => path === "/");
  const request = new Request("http://h/", HTML);
  const context = createRequestContext(request, {
    services: service.services,
    adapter: createAdapter({
      services: service.services,
      log: createLog({ write: () => {}, clock: Date.now }),
    }),
    budgets: service.budgets,
    trust: "none",
    baseHeaders: new Headers(),
    url: new URL(request.url),
  });
  const response = await start?.handle(context, {});
  expect(response?.status).toBe(503);
  expect(response?.headers.get("retry-after")).toBe("2");
  const html = (await response?.text()) ?? "";
  expect(html).toContain("The pages are being built");
  expect(html).toContain('<meta http-equiv="refresh" content="2">');
  const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? "";
  const digest = createHash("sha256").update(style).digest("base64");
  expect(response?.headers.get("content-security-policy")).toContain(`style-src 'sha256-${digest}'`);
});
