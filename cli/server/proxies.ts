import type { Io } from "../terminal/io.ts";

/** The variable with the proxy that a call goes through, as Node, Deno, Bun and curl choose it. */
export function proxyFor({ protocol, host, hostname }: URL, env: Io["env"]): string | undefined {
  const names = protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const name = names.find((each) => env[each]);
  const direct = (env.no_proxy || env.NO_PROXY || "").split(/[\s,]+/);
  const isDirect = direct.some((each) => {
    const domain = each.replace(/^\*?\./, "");
    return (
      each === "*" || domain === host || domain === hostname || (domain && hostname.endsWith(`.${domain}`))
    );
  });
  return isDirect ? undefined : name;
}
