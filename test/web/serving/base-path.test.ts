// browser
import { readdirSync, readFileSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../client/client.ts";
import { jsonPost } from "../../support/requests.ts";
import { withServer } from "../../support/with-server.ts";
import { browserTest, OFFLINE_TOO, openStage, type Stage } from "../support/browser.ts";
import { buildPages } from "../support/served.ts";

const BASE = "/hush/of.us";
const ORIGIN = "http://hushkit.test";
const HTML = { headers: { accept: "text/html" } };
// Before a server that looks for them when it starts.
beforeAll(buildPages);
const service = withServer({ publicUrl: ORIGIN + BASE });
let stage: Stage;
/** A reverse proxy that knows one path; everything else on the host is another program's. */
const proxy = createProxy(() => `http://127.0.0.1:${stage.port}`);

beforeAll(async () => {
  stage = await openStage({ publicUrl: `http://localhost:${await proxy.listen()}${BASE}` });
});
afterAll(async () => {
  proxy.close();
  await stage.close();
});

// The server has to know the port of its proxy, and the proxy learns that of the server by the first request.
function createProxy(to: () => string) {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    if (!url.startsWith(`${BASE}/`)) return void outgoing.writeHead(418).end("not ours");
    const onward = forward(`${to()}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  return {
    async listen(): Promise<number> {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return (server.address() as AddressInfo).port; // it listens on a port
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

test("answers below the base path, and without it to a proxy that takes it off", async () => {
  for (const base of [BASE, ""]) {
    const made = await service.request(`${base}/api/secrets`, jsonPost({ content: "hush" }));
    const { id, key, url } = (await made.json()) as { id: string; key: string; url: string };
    expect(url).toBe(`${ORIGIN}${BASE}/s/${id}#${key}`);
    expect(made.headers.get("location")).toBe(`${BASE}/api/secrets/${id}`);
    const opened = await service.request(`${base}/api/secrets/${id}/reveal`, jsonPost({ key }));
    expect(await opened.json()).toMatchObject({ content: "hush" });
    for (const path of ["/healthz", "/api/tools", "/api/openapi.json", "/offline.js"])
      expect((await service.request(base + path)).status).toBe(200);
    expect((await service.request(`${base}/api/tools/nothing`, { method: "POST" })).status).toBe(404);
  }
  for (const path of [BASE, `${BASE}/`])
    expect((await service.request(path, { method: "POST", body: "hush" })).status).toBe(201);
  expect((await service.request(`${BASE}x/api/tools`)).status).toBe(404);
  expect((await service.request(`${BASE}/%ff`)).status).toBe(404);
});

test("speaks RPC below the base path, in JSON and in frames", async () => {
  const fetch = (input: RequestInfo | URL, init?: RequestInit) =>
    service.request(String(input).slice(ORIGIN.length), init);
  const client = createClient(`${ORIGIN}${BASE}/`, { fetch });
  expect((await client.tools.password.mutate({ length: 9 })).passwords[0]).toHaveLength(9);
  const file = new TextEncoder().encode("hush");
  expect(await client.tools.fileHash.mutate({ file })).toMatchObject({ size: 4 });
});

test("sets a cookie that goes nowhere else on the host", async () => {
  const account = { name: "ann.of.us", password: "correct horse battery" };
  const answer = await service.request(`${BASE}/api/account/register`, jsonPost(account));
  const cookie = answer.headers.get("set-cookie") ?? "";
  expect(cookie).toContain(`; Path=${BASE};`);
  const headers = { cookie: cookie.split(";", 1)[0]!, "sec-fetch-site": "same-origin" };
  expect((await service.request(`${BASE}/api/users/me`, { headers })).status).toBe(200);
  const left = await service.request(`${BASE}/api/account/logout`, jsonPost({}, headers));
  expect(left.headers.get("set-cookie")).toContain(`; Path=${BASE};`);
});

test("names everything in pages and documents below the base path", async () => {
  const id = "q7Zk2PfW0LxT8nBy";
  for (const path of ["", "/", "/account", `/s/${id}`, "/nowhere/at/all"]) {
    const html = await (await service.request(BASE + path, HTML)).text();
    const named = [...html.matchAll(/(?:src|href|action)="([^#"][^"]*)"/g)].map(([, to]) => to!);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((to) => !to.startsWith(`${BASE}/`))).toEqual([]);
    for (const to of named.filter((each) => !each.includes("/api/")))
      expect((await service.request(to)).status).toBe(200);
  }
  const document = await (await service.request(`${BASE}/api/openapi.json`)).json();
  expect(document).toMatchObject({ servers: [{ url: ORIGIN + BASE }] });
  expect(await (await service.request(`${BASE}/`)).text()).toContain(`${ORIGIN}${BASE}/?raw=true`);
  const refused = await service.request(`${BASE}/api/no`, {
    headers: { accept: "application/problem+json" },
  });
  expect(await refused.json()).toMatchObject({ type: `${BASE}/docs#not_found` });
});

const WEB = new URL("../../../web/", import.meta.url);

test("has no page that names one of our paths or the host by itself", () => {
  const files = readdirSync(WEB, { recursive: true, encoding: "utf8" }).filter(
    (name) => /^(?!dist|words)[\w/-]+\.tsx?$/.test(name) && name !== "app/paths/base.ts",
  );
  const wrong = files.filter((name) => {
    const text = readFileSync(new URL(name, WEB), "utf8");
    return /href="\/|fetch\("\/|\$\{location\.origin|\(location\.origin|\blocation\.pathname\b/.test(text);
  });
  expect(wrong).toEqual([]);
});

browserTest("shares, opens, works and goes offline below the base path", async () => {
  const { page, requests, complaints } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).fill("hush hush");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  expect(link).toContain(`${BASE}/s/`);
  const guest = await stage.open(link.slice(stage.url.length));
  await guest.page.getByRole("button", { name: "Open the secret" }).click();
  expect(await guest.page.getByRole("region", { name: "The secret" }).textContent()).toBe("hush hush");

  const { page: tools, ...seen } = await stage.open("/tools", OFFLINE_TOO);
  await tools.getByRole("main").getByRole("link", { name: "Check a file" }).click();
  expect(new URL(tools.url()).pathname).toBe(`${BASE}/file-hash`);
  const file = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("abc") };
  await tools.locator("input[type=file]").setInputFiles(file);
  await tools.getByText("ba7816bf8f01cfea").waitFor();
  await tools.goBack();
  expect(new URL(tools.url()).pathname).toBe(`${BASE}/tools`);
  const scope = await tools.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  expect(new URL(scope).pathname).toBe(`${BASE}/`);
  await tools.context().setOffline(true);
  await tools.goto(`${stage.url}/password`);
  await tools.getByRole("heading", { level: 1 }).waitFor();
  const asked = [...requests, ...guest.requests, ...seen.requests];
  expect(asked.filter((each) => !each.includes(` ${BASE}`))).toEqual([]);
  // Offline, what the page asks the server for goes nowhere, sooner or later than this is read.
  const complained = seen.complaints.filter((each) => !each.includes("ERR_INTERNET_DISCONNECTED"));
  expect([...complaints, ...guest.complaints, ...complained]).toEqual([]);
});
