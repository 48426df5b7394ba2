import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { freePort } from "../../support/free-port.ts";

export interface RunningProxy {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts nginx in a folder, with a site on a free port and whatever else its `http` has. */
export async function startNginx(
  folder: string,
  { http, site }: { http: string; site: string },
): Promise<RunningProxy> {
  const port = await freePort();
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .filter((name) => !http.includes(`${name}_temp_path`))
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join("\n");
  // Its workers would run as the user "nobody", who may not write buffers into this folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const head = `${user} daemon off; pid ${join(folder, "pid")}; error_log ${join(folder, "log")}; events {}`;
  const server = `server { listen 127.0.0.1:${port}; client_max_body_size 200m;\n${site} }`;
  writeFileSync(
    join(folder, "nginx.conf"),
    `${head}\nhttp { access_log off;\n${temp}\n${http}\n${server} }\n`,
  );
  const options = ["-p", folder, "-c", join(folder, "nginx.conf")];
  const child = spawn("nginx", options, { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/healthz`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(answers, { timeout: 10_000 }).toBe(200);
  const exit = once(child, "exit");
  return {
    url,
    stop: async () => {
      child.kill();
      await exit;
    },
  };
}
