// process
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withProcess } from "../process/support/with-process.ts";
import { describeEach } from "../machine/skips.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { hushkit, NODE } from "./support/program.ts";

const SIZE = 12_345_678;
const MIB = 1024 * 1024;

const server = withProcess(NODE);

const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** The address of a proxy to the server that cuts one connection for each number, after that many bytes. */
async function frayedWire(cuts: number[]): Promise<string> {
  const { port } = new URL(server.url);
  const sockets = new Set<Socket>();
  const wire = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1");
    for (const socket of [near, far]) sockets.add(socket.on("error", () => {}));
    let bytes = 0;
    far.on("data", (data: Buffer) => {
      bytes += data.length;
      if (cuts[0] === undefined || bytes < cuts[0]) return void near.write(data);
      cuts.shift();
      near.destroy();
      far.destroy();
    });
    near.pipe(far).on("close", () => near.destroy());
    near.on("close", () => far.destroy());
  });
  await new Promise<void>((resolve) => wire.listen(0, "127.0.0.1", resolve));
  // Listening on a port, a server has the address of one.
  const url = `http://127.0.0.1:${(wire.address() as AddressInfo).port}`;
  onTestFinished(() => {
    wire.close();
    sockets.forEach((socket) => socket.destroy());
  });
  return url;
}

describeEach("the program on $name", (runtime) => {
  test("hands a file over whose download is cut twice", async () => {
    const [here, there] = [makeTempFolder(), makeTempFolder()];
    writeFileSync(join(here, "report 2026.bin"), randomBytes(SIZE));
    const env = { HUSHKIT_URL: server.url };
    const sent = await hushkit(runtime, ["send", "report 2026.bin"], { folder: here, env });
    expect(sent).toMatchObject({ code: 0, err: "", out: expect.stringContaining(`${server.url}/s/`) });
    const cuts = [5 * MIB, 2 * MIB];
    const link = sent.out.replace(server.url, await frayedWire(cuts));
    const opened = await hushkit(runtime, ["open", "-", "--json"], { folder: there, stdin: link });
    expect(opened).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(opened.out)).toMatchObject({ name: "report 2026.bin", size: SIZE });
    expect(cuts).toEqual([]);
    const [from, to] = [join(here, "report 2026.bin"), join(there, "report 2026.bin")];
    expect(digest(to)).toBe(digest(from));
    expect(statSync(to).mode & 0o777).toBe(0o600);
    expect(readdirSync(there).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("asks, answers and collects", async () => {
    const folder = makeTempFolder();
    const env = { HUSHKIT_URL: server.url };
    const asked = await hushkit(runtime, ["ask", "--note", "which one?"], { folder, env });
    expect(asked).toMatchObject({ code: 0, err: "" });
    const [give = "", keep = ""] = asked.out.split("\n");
    expect(await hushkit(runtime, ["answer", give], { folder, stdin: "this one" })).toMatchObject({
      code: 0,
      err: "",
    });
    const collected = await hushkit(runtime, ["collect", "-"], { folder, stdin: keep });
    expect(collected).toMatchObject({ code: 0, out: "this one", err: "" });
  });

  test("tells a limit before or while a file is sent", async () => {
    const folder = makeTempFolder();
    const env = { HUSHKIT_URL: server.url };
    const bytes = new Uint8Array(26_214_401);
    writeFileSync(join(folder, "large"), bytes);
    expect(await hushkit(runtime, ["send", "large"], { folder, env })).toMatchObject({ code: 5, out: "" });
  });
});
