// process
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { describeEach, hasThing } from "../machine/skips.ts";
import { startServer, type RunningServer } from "../process/support/server.ts";
import { showLogs } from "../process/support/with-process.ts";
import type { Runtime } from "../support/runtimes.ts";
import { freePort } from "../support/free-port.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { makeAuthority, type Authority } from "./support/certificates.ts";
import { hushkit, NODE } from "./support/program.ts";
import { startProxy, startTls, type Listener } from "./support/proxy.ts";

const TIMEOUT_MS = 300_000;

let server: RunningServer | undefined;
let authority: Authority;
let front: Listener;
let folder = "";
/** The address of the server behind TLS, which its links have. */
let secure = "";
let plainPort = 0;

beforeAll(async () => {
  if (!hasThing("openssl")) return;
  folder = mkdtempSync(join(tmpdir(), "hushkit-"));
  authority = makeAuthority(folder);
  front = await startTls(authority.issue(), { to: () => plainPort });
  secure = `https://localhost:${front.port}`;
  const rate = { SECRETS_PER_MINUTE: "1000", MEMBER_SECRETS_PER_MINUTE: "1000" };
  server = await startServer(NODE, { PUBLIC_URL: secure, ...rate });
  plainPort = Number(new URL(server.url).port);
}, TIMEOUT_MS);
afterAll(async () => {
  front?.close();
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

showLogs(() => (server ? [server] : []));

async function proxy(options?: { answers?: string }) {
  const started = await startProxy(options);
  onTestFinished(started.close);
  return { ...started, url: `http://127.0.0.1:${started.port}` };
}

/** Sends a file of a megabyte and opens it, with these options and variables. */
async function handOver(runtime: Runtime, options: readonly string[], env: Record<string, string>) {
  const [folder, data] = [makeTempFolder(), randomBytes(1_000_000)];
  writeFileSync(join(folder, "a.bin"), data);
  const sent = await hushkit(runtime, ["send", "a.bin", ...options], { folder, env });
  expect(sent).toMatchObject({ code: 0, err: "" });
  const opened = await hushkit(runtime, ["open", "-", "-o", "b.bin", ...options], {
    folder,
    env,
    stdin: sent.out,
  });
  expect(opened).toMatchObject({ code: 0, err: "" });
  expect(readFileSync(join(folder, "b.bin")).equals(data)).toBe(true);
}

async function ask(runtime: Runtime, env: Record<string, string>, ...options: string[]) {
  const ended = await hushkit(runtime, ["ask", ...options], { folder: makeTempFolder(), env });
  return [ended.code, ended.err] as const;
}

describeEach(
  "the program on $name",
  (runtime) => {
    test(
      "trusts a private authority by --cacert or NODE_EXTRA_CA_CERTS, and no other",
      async () => {
        const env = { HUSHKIT_URL: secure };
        const unknown = [
          6,
          expect.stringMatching(/^hushkit: The certificate .* authority .*--cacert FILE .*\.\n$/),
        ];
        expect(await ask(runtime, env)).toEqual(unknown);
        expect(await ask(runtime, env, "--cacert", makeAuthority().path)).toEqual(unknown);
        await handOver(runtime, ["--cacert", authority.path], env);
        await handOver(runtime, [], { ...env, NODE_EXTRA_CA_CERTS: authority.path });
      },
      TIMEOUT_MS,
    );

    test(
      "names what is wrong with a certificate",
      async () => {
        for (const [pair, words] of [
          [authority.issue({ days: -1 }), "has expired"],
          [authority.issue({ names: "DNS:other.example" }), "is for another host"],
          [authority.selfSigned(), "is self-signed"],
        ] as const) {
          const wrong = await startTls(pair, { to: () => plainPort });
          onTestFinished(wrong.close);
          const address = `https://localhost:${wrong.port}`;
          const [code, err] = await ask(runtime, { HUSHKIT_URL: address }, "--cacert", authority.path);
          expect([code, err]).toEqual([6, expect.stringContaining(`The certificate of ${address} ${words}`)]);
        }
        const noTls = { HUSHKIT_URL: `https://localhost:${plainPort}` };
        expect(await ask(runtime, noTls)).toEqual([6, expect.stringContaining("speaks no TLS")]);
      },
      TIMEOUT_MS,
    );

    test.each(["HTTPS_PROXY", "https_proxy"])(
      "goes through the proxy of %s, and of NO_PROXY not",
      async (name) => {
        const { asked, url } = await proxy();
        // Deno looks for a newer version of itself, through the proxy too.
        const trusting = { NODE_EXTRA_CA_CERTS: authority.path, DENO_NO_UPDATE_CHECK: "1" };
        const env = { HUSHKIT_URL: secure, ...trusting, [name]: url };
        await handOver(runtime, [], env);
        const tunnel = `CONNECT localhost:${front.port}`;
        expect([asked.length > 0, asked.filter((each) => each !== tunnel)]).toEqual([true, []]);
        const before = asked.length;
        expect((await ask(runtime, { ...env, NO_PROXY: "localhost" }))[0]).toBe(0);
        expect((await ask(runtime, { ...env, no_proxy: "localhost" }))[0]).toBe(0);
        expect(asked.length).toBe(before);
      },
      TIMEOUT_MS,
    );

    test(
      "goes through a proxy with a private authority by --cacert too",
      async () => {
        const { asked, url } = await proxy();
        const env = { HUSHKIT_URL: secure, HTTPS_PROXY: url };
        await handOver(runtime, ["--cacert", authority.path], env);
        expect(asked.length).toBeGreaterThan(0);
      },
      TIMEOUT_MS,
    );

    test.each(["HTTP_PROXY", "http_proxy"])(
      "goes through the proxy of %s to a server without TLS",
      async (name) => {
        const { asked, url } = await proxy();
        expect((await ask(runtime, { HUSHKIT_URL: `http://localhost:${plainPort}`, [name]: url }))[0]).toBe(
          0,
        );
        expect(asked.length).toBeGreaterThan(0);
      },
      TIMEOUT_MS,
    );

    test(
      "says what a proxy has against it",
      async () => {
        const env = { HUSHKIT_URL: secure };
        const locked = (await proxy({ answers: "407 Proxy Authentication Required" })).url;
        const wantsName = "The proxy of HTTPS_PROXY wants a name and a password";
        expect(await ask(runtime, { ...env, HTTPS_PROXY: locked })).toEqual([
          6,
          expect.stringContaining(wantsName),
        ]);
        const strict = (await proxy({ answers: "403 Forbidden" })).url;
        const refused = "The proxy of https_proxy refused to connect";
        expect(await ask(runtime, { ...env, https_proxy: strict })).toEqual([
          6,
          expect.stringContaining(refused),
        ]);
        const none = `http://127.0.0.1:${await freePort()}`;
        const through = "through the proxy of HTTPS_PROXY";
        expect(await ask(runtime, { ...env, HTTPS_PROXY: none })).toEqual([
          6,
          expect.stringContaining(through),
        ]);
      },
      TIMEOUT_MS,
    );

    test(
      "gives up on a proxy that closes every connection, such as one of SOCKS",
      async () => {
        let asked = 0;
        const closing = createServer((socket) => {
          asked++;
          socket.on("error", () => {}).once("data", () => socket.end());
        });
        await new Promise<void>((resolve) => closing.listen(0, "127.0.0.1", resolve));
        onTestFinished(() => void closing.close());
        const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`;
        for (const [name, to] of [
          ["HTTP_PROXY", `http://localhost:${plainPort}`],
          ["HTTPS_PROXY", secure],
        ] as const) {
          const env = { HUSHKIT_URL: to, [name]: url, DENO_NO_UPDATE_CHECK: "1" };
          const through = `through the proxy of ${name}`;
          expect(await ask(runtime, env)).toEqual([6, expect.stringContaining(through)]);
        }
        expect(asked).toBeLessThan(100);
      },
      TIMEOUT_MS,
    );
  },
  { things: ["openssl"] },
);

test("refuses a file of authorities that holds none", async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "a.pem"), "no certificate");
  writeFileSync(join(folder, "b.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  const env = { HUSHKIT_URL: "http://127.0.0.1:9" };
  for (const [name, words] of [
    ["a.pem", "--cacert: a.pem holds no certificate in PEM"],
    ["b.pem", "--cacert: b.pem holds no certificate in PEM"],
    ["none.pem", "none.pem: there is no such file"],
  ]) {
    const refused = await hushkit(NODE, ["list", "--cacert", name ?? ""], { folder, env });
    expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining(words ?? "") });
  }
});

test("refuses a proxy that is no address", async () => {
  const env = { HUSHKIT_URL: "https://hush.invalid", HTTPS_PROXY: "nonsense" };
  expect(await ask(NODE, env)).toEqual([2, expect.stringContaining("like http://proxy.example:3128")]);
});
