import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { freePort } from "../../support/free-port.ts";

export interface RunningProxy {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

interface Configuration {
  readonly http: string;
  readonly site: string;
}

const MOST_TRIES = 3;

/** Starts nginx in a folder, with a site on a free port and whatever else its `http` has. */
export async function startNginx(folder: string, configuration: Configuration): Promise<RunningProxy> {
  for (let tries = 1; ; tries++) {
    const proxy = await startAt(await freePort(), { folder, ...configuration });
    if (proxy) return proxy;
    if (tries === MOST_TRIES) throw new Error("Each port was taken before nginx had it");
  }
}

/** Nothing where somebody else has just taken the port. */
async function startAt(
  port: number,
  { folder, ...configuration }: Configuration & { folder: string },
): Promise<RunningProxy | undefined> {
  const log = join(folder, "log");
  rmSync(log, { force: true });
  writeFileSync(join(folder, "nginx.conf"), configure(port, { folder, ...configuration }));
  const options = ["-p", folder, "-c", join(folder, "nginx.conf")];
  const child = spawn("nginx", options, { stdio: "ignore" });
  const exit = once(child, "exit");
  const stop = async () => {
    child.kill();
    await exit;
  };
  const url = `http://127.0.0.1:${port}`;
  const said = () => (existsSync(log) ? readFileSync(log, "utf8").slice(-2000) : "no log");
  const hasEnded = () => child.exitCode !== null;
  const isTaken = () => hasEnded() && said().includes("Address already in use");
  const state = async () => {
    if (hasEnded()) return isTaken() ? "taken" : said();
    return fetch(`${url}/healthz`).then(({ status }) => status, said);
  };
  try {
    await expect.poll(state).toEqual(expect.toBeOneOf([200, "taken"]));
  } catch (error) {
    await stop();
    throw error;
  }
  return isTaken() ? undefined : { url, stop };
}

function configure(port: number, { folder, http, site }: Configuration & { folder: string }): string {
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .filter((name) => !http.includes(`${name}_temp_path`))
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join("\n");
  // Its workers would run as the user "nobody", who may not write buffers into this folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const head = `${user} daemon off; pid ${join(folder, "pid")}; error_log ${join(folder, "log")}; events {}`;
  const server = `server { listen 127.0.0.1:${port}; client_max_body_size 200m;\n${site} }`;
  return `${head}\nhttp { access_log off;\n${temp}\n${http}\n${server} }\n`;
}
