// process
import { expect, onTestFinished } from "vitest";
import { describeEach, testWith } from "../machine/skips.ts";
import { readEvents, type EventReader } from "../support/events.ts";
import { jsonPost, type SharedSecret } from "../support/requests.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { startNginx } from "./support/nginx.ts";
import { exitCodes, startServer } from "./support/server.ts";

describeEach("events on $name", (runtime) => {
  testWith("nginx")("pass an nginx that buffers, give places back, and end with the server", async () => {
    const server = await startServer(runtime);
    onTestFinished(() => server.kill());
    const site = `location / { proxy_http_version 1.1; proxy_pass ${server.url}; }`;
    const { url, stop } = await startNginx(makeTempFolder(), { http: "", site });
    onTestFinished(stop);
    const share = async () => {
      const made = await fetch(`${url}/api/secrets`, jsonPost({ content: "hush" }));
      return (await made.json()) as SharedSecret;
    };
    const [first, second] = [await share(), await share()];
    const ask = ({ key }: SharedSecret, path: string) =>
      fetch(url + path, { headers: { "secret-proof": key } });
    const overRest = ({ id }: SharedSecret) => `/api/secrets/${id}/events`;
    const overRpc = ({ id }: SharedSecret) =>
      `/trpc/secrets.events?input=${encodeURIComponent(JSON.stringify({ id }))}`;

    const rest = readEvents(await ask(first, overRest(first)));
    const rpc = readEvents(await ask(first, overRpc(first)));
    expect(await rest.state()).toMatchObject({ status: "active" });
    expect(await rpc.next()).toMatchObject({ event: "connected" });
    expect(await rpc.next()).toHaveProperty("data");
    const leaving = readEvents(await ask(first, overRest(first)));
    expect(await leaving.state()).toMatchObject({ status: "active" });
    expect((await ask(first, overRest(first))).status).toBe(429);
    await leaving.leave();
    await fetch(`${url}/api/secrets/${first.id}/reveal`, jsonPost({ key: first.key }));
    expect(await rest.state()).toMatchObject({ status: "revealed" });
    expect([await rest.next(), await rest.next()]).toMatchObject([{ event: "done" }, undefined]);
    expect((await rpc.next())?.["data"]).toContain("revealed");
    expect([await rpc.next(), await rpc.next()]).toMatchObject([{ event: "return" }, undefined]);

    // Those three have given their places back; one who leaves behind a proxy does so soon.
    const open: EventReader[] = [];
    for (const path of [overRest(second), overRpc(second), overRest(second)]) {
      let response = await ask(second, path);
      await expect
        .poll(async () => (response.ok ? 200 : (response = await ask(second, path)).status))
        .toBe(200);
      open.push(readEvents(response));
    }
    const ended = server.stop();
    for (const { next } of open) {
      const events: unknown[] = [];
      for (let event = await next(); event; event = await next()) events.push(event["event"]);
      expect(events.at(-1)).toMatch(/^(done|return)$/);
    }
    expect(exitCodes(0)).toContain(await ended);
  });
});
