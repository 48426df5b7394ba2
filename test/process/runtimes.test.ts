// process
// A little of everything from the sources, on each runtime of this machine; `npm run test:all` runs the whole suite on each.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { createClient } from "../../client/client.ts";
import { allRuntimes, testWith } from "../machine/skips.ts";
import { RUNTIME_NAMES } from "../support/runtimes.ts";
import { makeBlankPdf } from "../support/samples.ts";
import { exitCodes, startSources } from "./support/server.ts";
import { startForTest } from "./support/with-process.ts";

for (const name of RUNTIME_NAMES) {
  const make = name === "node" ? test : testWith(name);
  make(`${name} starts, shares a secret, turns a file, answers a typed call, and stops`, async () => {
    const runtime = allRuntimes().find((each) => each.name === name)!;
    const { url, stop, output } = await startForTest(runtime, {}, startSources);
    const post = (path: string, body: BodyInit, type: string) =>
      fetch(url + path, { method: "POST", body, headers: { "content-type": type } });
    const made = await post("/api/secrets", JSON.stringify({ content: "hush" }), "application/json");
    const { id, key } = (await made.json()) as { id: string; key: string };
    const opened = await post(`/api/secrets/${id}/reveal`, JSON.stringify({ key }), "application/json");
    expect([made.status, await opened.json()]).toMatchObject([201, { content: "hush" }]);

    const pdf = await makeBlankPdf([200, 300]);
    const turned = await post("/api/tools/pdf-rotate?angle=90", pdf, "application/pdf");
    const document = await PDFDocument.load(await turned.arrayBuffer());
    expect(document.getPages().map((page) => page.getRotation().angle)).toEqual([90, 90]);

    const { passwords } = await createClient(url).tools.password.mutate({ length: 24, count: 2 });
    expect(passwords.map(({ length }) => length)).toEqual([24, 24]);

    // Nobody reads the rest of what it inflates to.
    const bomb = gzipSync(new Uint8Array(2e7));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    for (const path of ["/api/secrets", "/api/tools/password"])
      expect((await fetch(url + path, { method: "POST", body: bomb, headers })).status).toBe(413);
    expect(exitCodes(0)).toContain(await stop());
    expect(output()).not.toContain('"event":"fault"');
  });

  make(`${name} hears its sockets between the turns of long work`, () => {
    const { command, args } = allRuntimes().find((each) => each.name === name)!;
    const file = fileURLToPath(new URL("support/turns.ts", import.meta.url));
    expect(spawnSync(command, [...args, file], { encoding: "utf8" }).stdout).toBe("heard\n");
  });
}
