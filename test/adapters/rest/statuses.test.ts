import { beforeAll, expect, test } from "vitest";
import { procedures } from "../../../router/app.ts";
import type { Meta } from "../../../router/trpc.ts";
import { freshIp } from "../../fresh-ip.ts";
import type { Sent } from "../../harness.ts";
import { makeToken, register } from "../../members.ts";
import { shareSecret } from "../../requests.ts";
import { startForTest, withServer } from "../../with-server.ts";

const service = withServer();
let member: { token: string; cookie: string };
beforeAll(async () => {
  const { cookie } = await register(service);
  member = { cookie, ...(await makeToken(service, { cookie })) };
});

/** The door of one procedure, as a caller finds it in the document. */
interface Door {
  readonly rpc: string;
  readonly method: string;
  readonly path: string;
  readonly meta: Meta;
}

function doorOf(rpc: string): Door {
  const meta = (procedures()[rpc]?._def.meta ?? {}) as Meta;
  const { method = "POST", path = "/" } = meta.openapi ?? {};
  return { rpc, method, path: path.replace("{id}", "0123456789abcdef"), meta };
}

const documented = Object.keys(procedures())
  .map(doorOf)
  .flatMap((door) => (door.meta.errors ?? []).map((status) => ({ ...door, status })))
  // Sixty million lines that differ fit into a member's two texts only; the tool's own tests go there.
  .filter(({ rpc, status }) => !(rpc === "tools.textCompare" && status === 422));

test.each(documented)("$rpc answers $status as documented", async (door) => {
  const provoke = PROVOKED[door.status];
  if (!provoke) throw new Error(`Nothing provokes ${door.status}`);
  const response = await provoke(door);
  const body = (await response.json()) as Record<string, unknown>;
  expect([response.status, body.status, typeof body.code]).toEqual([door.status, door.status, "string"]);
  expect(response.headers.get("request-id")).toBe(body.requestId);
});

/** How each status comes about at any door that documents it. */
const PROVOKED: Record<number, (door: Door) => Promise<Response>> = {
  400: (door) => call(door, { ...proof(door), ...badRequest(door) }),
  401: (door) => call(door, { headers: { authorization: "Bearer wrong" } }),
  403: forbid,
  404: (door) =>
    call(door, { ...proof(door), ...fields(door, { key: "x".repeat(22), revokeToken: "x".repeat(32) }) }),
  410: gone,
  413: (door) => call(door, unread(door, { "content-length": "999999999" })),
  415: (door) => call(door, unread(door, unreadable(door))),
  422: unfit,
  429: exhaust,
  503: refuseWork,
};

function call(door: Door, init: Sent & { path?: string } = {}): Promise<Response> {
  const { path = door.path, ...rest } = init;
  return service.request(path, { method: door.method, ...rest });
}

function proof({ meta: { access } }: Door): { headers: Record<string, string> } {
  if (access === "member") return { headers: { authorization: `Bearer ${member.token}` } };
  return { headers: access === "session" ? { cookie: member.cookie, "sec-fetch-site": "same-origin" } : {} };
}

function fields(door: Door, values: Record<string, unknown>): Sent {
  if (door.method === "GET" || door.meta.http?.body === "none") return {};
  const names = Object.entries(values).filter(
    ([name]) => !door.rpc.startsWith("secrets.re") || wanted(door.rpc, name),
  );
  return {
    body: JSON.stringify(Object.fromEntries(names)),
    headers: { ...proof(door).headers, "content-type": "application/json" },
  };
}

function wanted(rpc: string, name: string): boolean {
  return name === (rpc === "secrets.revoke" ? "revokeToken" : "key");
}

function badRequest(door: Door): Sent & { path?: string } {
  const kind = door.meta.http?.body;
  const type = { "content-type": "application/json" };
  if (kind === "none") return { path: `${door.path}?id=a&id=b&limit=x&limit=y` };
  if (kind === "file" || kind === "stream")
    return { path: `${door.path}?password=a&password=b&algorithms=x&quality=x` };
  return { body: "[]", headers: { ...proof(door).headers, ...type } };
}

function unread(door: Door, headers: Record<string, string>): Sent & { path: string } {
  // What is locked needs a password before its bytes are looked at.
  const path = door.rpc === "tools.fileEncrypt" ? `${door.path}?password=p` : door.path;
  return { path, body: "x", headers: { ...proof(door).headers, ...headers } };
}

function unreadable({ meta: { http } }: Door): Record<string, string> {
  const isText = http?.body === "fields" || http?.body === "content";
  return isText ? { "content-type": "text/plain; charset=latin1" } : { "content-encoding": "br" };
}

async function forbid(door: Door): Promise<Response> {
  if (door.rpc === "secrets.reveal") {
    const { id, key } = await share({ content: "x", passphrase: "p" });
    return call(door, { path: `/api/secrets/${id}/reveal`, ...fields(door, { key }) });
  }
  if (door.meta.access === "session")
    return call(door, { headers: { authorization: `Bearer ${member.token}` } });
  const headers = {
    cookie: member.cookie,
    "sec-fetch-site": "cross-site",
    "content-type": "application/json",
  };
  return call(door, { headers, ...(door.meta.http?.body === "fields" ? { body: "{}" } : {}) });
}

async function gone(door: Door): Promise<Response> {
  const made = await share({ content: "x" });
  await service.request(`/api/secrets/${made.id}/reveal`, {
    method: "POST",
    body: new URLSearchParams({ key: made.key }),
  });
  return call(door, {
    ...proof(door),
    path: door.path.replace("0123456789abcdef", made.id),
    ...fields(door, { ...made }),
  });
}

async function unfit(door: Door): Promise<Response> {
  const bodies: Record<string, Sent & { path?: string }> = {
    "tools.pdfMerge": { body: JSON.stringify({ files: [{ data: "eA==" }] }) },
    "tools.imageConvert": { path: `${door.path}?format=png` },
    "tools.fileEncrypt": { path: `${door.path}?password=p&direction=unlock` },
  };
  const password = "not the right one";
  const json =
    door.rpc === "account.delete"
      ? { password, secrets: "keep" }
      : { password, newPassword: "long enough too" };
  if (door.meta.access === "session") return call(door, { ...proof(door), ...fields(door, json) });
  return call(door, { body: "no such file at all", ...bodies[door.rpc] });
}

async function exhaust(door: Door): Promise<Response> {
  const ip = freshIp();
  for (let i = 0; i < 100; i++) {
    const response = await call(door, { ...proof(door), ...fields(door, SOME_FIELDS), ip });
    if (response.status === 429) return response;
    await response.arrayBuffer();
    if (door.rpc === "tools.catalogue") break;
  }
  // Some doors count only wrong credentials.
  for (let i = 0; i < 31; i++) {
    const response = await call(door, { headers: { authorization: "Bearer wrong" }, ip });
    if (response.status === 429) return response;
  }
  return call(door, { ip });
}

const SOME_FIELDS = {
  name: "nobody",
  password: "not the right one",
  recoveryCode: "x",
  key: "x",
  revokeToken: "x",
};

async function refuseWork(door: Door): Promise<Response> {
  const full = await startForTest({ maxSecretBytes: 1 });
  full.health.startDraining();
  const response = await full.request(door.path, { method: door.method, body: "x" });
  return response;
}

function share(values: Record<string, unknown>) {
  return shareSecret(service, { headers: { authorization: `Bearer ${member.token}` }, ...values });
}
