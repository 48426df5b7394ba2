// process
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeEach } from "../machine/skips.ts";
import type { Runtime } from "../support/runtimes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { OF_ALL } from "./support/instance-key.ts";
import { startServer } from "./support/server.ts";
import { startForTest } from "./support/with-process.ts";

const taken = createServer();
let port = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  // Listening on a port, a server has the address of one.
  port = String((taken.address() as AddressInfo).port);
});
afterAll(() => void taken.close());

describeEach("a start on $name", startSomehow);

function startSomehow(runtime: Runtime): void {
  const start = (env: Record<string, string>) =>
    startServer(runtime, env).then(
      (server) => server.kill().then(() => "it runs"),
      (error: unknown) => String(error),
    );

  test.each(["PORT", "METRICS_PORT"])("ends with a sentence when %s is taken", async (name) => {
    const said = await start({ [name]: port });
    expect(said).toContain("The server ended");
    const sentence = `The server cannot start: HOST and ${name} name 127.0.0.1:${port}, which is in use.`;
    expect(said.split("\n")).toContain(sentence);
  });

  test("ends with a sentence when HOST is of another machine, or of none", async () => {
    expect(await start({ HOST: "203.0.113.7" })).toMatch(
      /^The server cannot start: HOST and PORT name 203\.0\.113\.7:0, which is not an address of this machine\.$/m,
    );
    expect(await start({ HOST: "nobody.invalid", PORT: "1234" })).toMatch(
      /^The server cannot start: HOST and PORT name nobody\.invalid:1234, .*\.$/m,
    );
  });

  test("makes links to the port that the system has chosen", async () => {
    const { url } = await startForTest(runtime, { PORT: "0" });
    const below = await startForTest(runtime, {
      ...{ HOST: "0.0.0.0", PORT: "0", PUBLIC_URL: "http://hush.localhost:0/kit/" },
    });
    expect(below.output()).not.toContain("no_public_url");
    const body = "hush";
    const linkBelow = await (await fetch(`${below.url}/kit/?raw=true`, { method: "POST", body })).text();
    expect(linkBelow).toContain(`http://hush.localhost:${new URL(below.url).port}/kit/s/`);
    const link = await (await fetch(`${url}/?raw=true`, { method: "POST", body })).text();
    expect(link).toContain(`${url}/s/`);
    expect(await (await fetch(url)).text()).toContain(`"${url}/?raw=true"`);
    expect(await (await fetch(`${url}/api/openapi.json`)).json()).toMatchObject({ servers: [{ url }] });
  });

  test("takes secrets from files, and warns of links that lead nowhere", async () => {
    const folder = makeTempFolder();
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), `${text}\n`);
      return join(folder, name);
    };
    const database = join(folder, "of-file.db");
    const { output, url } = await startForTest(runtime, {
      HOST: "0.0.0.0",
      DATABASE_URL: "",
      DATABASE_URL_FILE: write("url", database),
      INSTANCE_KEY_FILE: write("key", OF_ALL),
      OIDC_CLIENT_ID: "hushkit",
    });
    expect(existsSync(database)).toBe(true);
    expect(output()).not.toContain("key_made");
    const port = new URL(url).port;
    expect(output()).toMatch(new RegExp(`"event":"no_public_url","url":"http://0\\.0\\.0\\.0:${port}"`));
    expect(output()).toContain(
      '"event":"setting_without_effect","message":"OIDC_CLIENT_ID has no effect without OIDC_ISSUER."',
    );
    expect(output()).not.toContain(OF_ALL);
  });

  test("ends with a sentence without the password when there is no database", async () => {
    const said = await start({ DATABASE_URL: "postgres://me:geheim@127.0.0.1:1/none" });
    expect(said).toMatch(/^The database of DATABASE_URL cannot be opened: .*ECONNREFUSED/m);
    expect(said).not.toContain("geheim");
  });

  test("ends with one sentence for every variable that is wrong", async () => {
    const wrong = { WORKERS: "none", RECEIPT_DAYS: "0", INSTANCE_KEY_FILE: "/nowhere/key" };
    const said = await start(wrong);
    expect(said).toMatch(/^INSTANCE_KEY_FILE cannot be read \(ENOENT\)\.$/m);
    expect(said).toMatch(/^WORKERS is "none" but must be .*\.$/m);
    expect(said).toMatch(/^RECEIPT_DAYS is "0" but must be .*\.$/m);
  });
}
