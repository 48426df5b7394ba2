// process
import { expect, test } from "vitest";
import about from "../../package.json" with { type: "json" };
import { describeEach } from "../machine/skips.ts";
import { withProcess } from "./support/with-process.ts";

describeEach("the numbers of a server on $name", (runtime) => {
  const server = withProcess(runtime, { METRICS_PORT: "0" });

  const read = async () => {
    const [, url] = /"event":"metrics","url":"([^"]+)"/.exec(server.output()) ?? [];
    return (await fetch(url ?? "")).text();
  };

  test("count REST and RPC by pattern, and hold nothing that was sent", async () => {
    const post = (path: string, body: BodyInit, type = "text/plain") =>
      fetch(server.url + path, { method: "POST", body, headers: { "content-type": type } });
    const file = new Uint8Array(123_457);
    await post("/api/tools/file-hash?filename=canary.bin", file);
    await post("/trpc/tools.password", '{"length":0}', "application/json");
    await post("/canary?canary=canary", "canary");
    const { id } = (await (await post("/", "canary")).json()) as { id: string };
    await post(`/api/secrets/${id}/reveal`, "key=canary", "application/x-www-form-urlencoded");
    const lines = [
      'requests_total{route="/api/tools/file-hash",status="200"} 1',
      'requests_total{route="/trpc/**",status="400"} 1',
      'requests_total{route="(none)",status="404"} 1',
      'requests_total{route="/",status="201"} 1',
      'requests_total{route="/api/secrets/:id/reveal",status="404"} 1',
      'tool_calls_total{tool="file-hash",outcome="succeeded"} 1',
      'tool_calls_total{tool="password",outcome="failed"} 1',
      'request_seconds_count{route="file tools"} 2',
      "ready 1",
      "pool_busy 0",
      "pool_waiting 0",
      "memory_reserved_ratio 0",
    ];
    let text = "";
    // A worker starts behind its server, and what a call has reserved is free when its answer was sent.
    const missing = async () => {
      text = await read();
      return lines.filter((line) => !text.includes(`hushkit_${line}\n`));
    };
    await expect.poll(missing).toEqual([]);
    for (const word of ["canary", id, "123457", "127.0.0"]) expect(text).not.toContain(word);
  });

  test("tell of the process under the usual names, and of its memory in large steps", async () => {
    const text = await read();
    const value = (name: string) => Number(new RegExp(`^${name} (\\d+(?:\\.\\d+)?)$`, "m").exec(text)?.[1]);
    expect(value("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(value("process_resident_memory_bytes") % 2 ** 26).toBe(0);
    const started = value("process_start_time_seconds");
    expect(started).toBeLessThanOrEqual(Date.now() / 1000);
    expect(started).toBeGreaterThan(Date.now() / 1000 - 3600);
    expect(text).toMatch(`hushkit_build_info{version="${about.version}",runtime="${runtime.name} `);
  });

  test("tell how long the event loop has kept others waiting", async () => {
    const delay = async () =>
      Number(/^hushkit_event_loop_delay_seconds ([\d.]+)$/m.exec(await read())?.[1] ?? NaN);
    expect(await delay()).toBeGreaterThanOrEqual(0);
    expect(await delay()).toBeLessThan(60);
  });

  test("are on no path of the service itself", async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });
});
