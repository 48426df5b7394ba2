import { expect, test } from "vitest";
import { tieIdentity } from "../../../db/accounts/identities.ts";
import { insertHook } from "../../../db/accounts/hooks.ts";
import { insertPasskey } from "../../../db/accounts/passkeys.ts";
import { procedures } from "../../../adapters/service/endpoints.ts";
import type { Meta } from "../../../router/meta.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { ORIGIN } from "../../support/harness.ts";
import { call, makeToken, register, type Registered } from "../../support/members.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

interface Own {
  readonly rpc: string;
  readonly type: "query" | "mutation";
  readonly method: string;
  readonly path: string;
  readonly access: "member" | "session" | "admin";
  readonly hasBody: boolean;
}

const OWN = Object.entries(procedures).flatMap(([rpc, { _def }]): Own[] => {
  // The builder types meta on the way in; the erased procedure gives it back as unknown.
  const { openapi, http, access } = (_def.meta ?? {}) as Meta;
  if (!openapi || !access || _def.type === "subscription") return [];
  const { method, path } = openapi;
  return [
    { rpc, type: _def.type, method, path, access, hasBody: http?.body === "fields" || http?.body === "json" },
  ];
});

/** What members have, and administrators have no more of. */
const MEMBERS = OWN.filter(({ access }) => access !== "admin");

const EVERYBODYS = [
  ...["secrets.createFile", "secrets.openFile", "secrets.received", "requests.received"],
  ...[
    "requests.create",
    "requests.status",
    "requests.events",
    "requests.answer",
    "requests.collect",
    "requests.close",
    "requests.cancel",
  ],
  ...["tools.", "secrets.create", "secrets.reveal", "secrets.status", "secrets.events", "secrets.revoke"],
  ...["account.beginPasskeyLogin", "account.passkeyLogin"],
  ...["instance", "account.register", "account.login", "account.logout", "account.recover"],
];

test("the walk knows every procedure that is not everybody's", () => {
  const others = Object.keys(procedures).filter(
    (rpc) => !EVERYBODYS.some((name) => rpc === name || (name.endsWith(".") && rpc.startsWith(name))),
  );
  expect(OWN.map(({ rpc }) => rpc)).toEqual(others);
  expect(others).toContain("secrets.revokeOwn");
});

type Headed = Record<string, string>;

/** The same call over REST and RPC, with whatever input: who may not call is refused before it is read. */
async function callBoth({ rpc, type, method, path, hasBody }: Own, headers: Headed) {
  const rest = await call(service, path.replace("{id}", "0123456789abcdef"), {
    method,
    headers,
    ...(hasBody ? { json: { nonsense: true } } : {}),
  });
  const typed = await call(service, `/trpc/${rpc}`, {
    method: type === "query" ? "GET" : "POST",
    headers,
    ...(type === "mutation" ? { json: { nonsense: true } } : {}),
  });
  const { data } = typed.body.error as { data: Record<string, unknown> };
  return [rest, { ...typed, body: data }];
}

const refused = [
  ["nobody", () => ({}), 401, "login_required"],
  ["two cookies", (cookie: string) => ({ cookie: `${cookie}; ${cookie}` }), 401, "login_required"],
  [
    "a session that is over",
    () => ({ cookie: `service_user_session=${"x".repeat(43)}` }),
    401,
    "login_required",
  ],
  ["a bad token", () => ({ authorization: "Bearer bad" }), 401, "invalid_token"],
  [
    "a bad token beside a good session",
    (cookie: string) => ({ cookie, authorization: "Bearer bad" }),
    401,
    "invalid_token",
  ],
  [
    "a page of another site",
    (cookie: string) => ({ cookie, "sec-fetch-site": "cross-site" }),
    403,
    "cross_site",
  ],
  [
    "a page of a neighbouring host",
    (cookie: string) => ({ cookie, "sec-fetch-site": "same-site" }),
    403,
    "cross_site",
  ],
  [
    "a page of another origin",
    (cookie: string) => ({ cookie, origin: "https://evil.example" }),
    403,
    "cross_site",
  ],
] as const;

test.each(OWN)("$rpc refuses everybody who is no member, over REST and RPC", async (own) => {
  const { cookie } = await register(service);
  for (const [, proof, status, code] of refused) {
    for (const answer of await callBoth(own, proof(cookie))) {
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      if (status === 401) expect(answer.body.status).toBe(401);
    }
  }
});

test.each(OWN.filter(({ access }) => access !== "member"))(
  "$rpc refuses a token, also beside a session",
  async (own) => {
    const { cookie } = await register(service);
    const { token } = await makeToken(service, { cookie });
    const authorization = `Bearer ${token}`;
    for (const headers of [{ authorization }, { authorization, cookie }]) {
      for (const answer of await callBoth(own, headers)) {
        expect([answer.status, answer.body.code]).toEqual([403, "session_required"]);
      }
    }
  },
);

test.each(OWN.filter(({ access }) => access === "admin"))("$rpc refuses a member", async (own) => {
  const { cookie } = await register(service);
  for (const answer of await callBoth(own, { cookie })) {
    expect([answer.status, answer.body.code]).toEqual([403, "admin_required"]);
  }
});

test.each(OWN.filter(({ rpc }) => rpc !== "secrets.revokeOwn" && rpc !== "requests.cancelOwn"))(
  "$rpc is for no page of another origin to read",
  async ({ rpc, path, method }) => {
    for (const at of [path.replace("{id}", "x"), `/trpc/${rpc}`, `/trpc/tools.password,${rpc}`]) {
      for (const asked of [method, "OPTIONS"]) {
        const response = await service.request(at, { method: asked, headers: { origin: ORIGIN } });
        expect(response.headers.get("access-control-allow-origin")).toBeNull();
        expect(response.headers.has("access-control-allow-credentials")).toBe(false);
      }
    }
  },
);

interface Belongings extends Registered {
  readonly secret: { id: string; key: string };
  readonly request: { id: string };
  readonly tokenId: string;
  readonly passkeyId: string;
  readonly identityId: string;
  readonly hookId: string;
  readonly token: string;
  readonly sessionId: string;
}

async function settle(): Promise<Belongings> {
  const member = await register(service);
  const { id: tokenId, token } = await makeToken(service, { cookie: member.cookie, name: member.name });
  const secret = await service.client({ token }).secrets.create.mutate({ content: member.name });
  const gate = "x".repeat(43);
  const request = await service.client({ token }).requests.create.mutate({ gate });
  const { body } = await call(service, "/api/users/me/sessions", { headers: { cookie: member.cookie } });
  const [session] = body.sessions as { id: string }[];
  const passkeyId = crypto.randomUUID();
  await insertPasskey(service.db, {
    ...{ id: passkeyId, member: member.id, name: "Laptop", publicKey: new Uint8Array(1), counter: 0 },
    ...{ transports: [], createdAt: service.clock.now, ceiling: 20 },
  });
  const identity = { issuer: "https://acme.example", subject: passkeyId, name: `who ${passkeyId}` };
  await tieIdentity(service.db, { ...identity, member: member.id, now: service.clock.now });
  const identities = await service.request("/api/users/me/identities", {
    headers: { cookie: member.cookie },
  });
  const [{ id: identityId } = { id: "" }] = (await identities.json()) as { id: string }[];
  const sessionId = session?.id ?? "";
  const hookId = randomBase62(16);
  await insertHook(service.db, {
    ...{ id: hookId, member: member.id, form: "ntfy", host: "ntfy.sh", events: ["secret.revealed"] },
    ...{ sealed: new Uint8Array(1), createdAt: service.clock.now, ceiling: 3 },
  });
  return { ...member, secret, request, tokenId, token, passkeyId, identityId, hookId, sessionId };
}

/** All that a member can see of what is theirs. */
async function lookAround({ cookie }: Registered): Promise<string> {
  // One of them is about the API token of the call, which a session has not.
  const paths = MEMBERS.filter(({ method, rpc }) => method === "GET" && rpc !== "tokens.current").map(
    ({ path }) => path,
  );
  const answers = await Promise.all(paths.map((path) => call(service, path, { headers: { cookie } })));
  for (const { status } of answers) expect(status).toBe(200);
  return JSON.stringify(answers.map(({ body }) => body));
}

test("shows a member nothing of another's", async () => {
  const [ann, bob] = [await settle(), await settle()];
  const seen = await lookAround(bob);
  for (const own of [
    bob.id,
    bob.name,
    bob.secret.id,
    bob.request.id,
    bob.tokenId,
    bob.sessionId,
    bob.passkeyId,
    bob.identityId,
    bob.hookId,
  ])
    expect(seen).toContain(own);
  for (const other of [
    ann.id,
    ann.name,
    ann.secret.id,
    ann.request.id,
    ann.tokenId,
    ann.sessionId,
    ann.passkeyId,
    ann.hookId,
  ]) {
    expect(seen).not.toContain(other);
  }
});

test("lets a member change nothing of another's, and tells another's from none by nothing", async () => {
  const [ann, bob] = [await settle(), await settle()];
  const before = await lookAround(ann);
  const ids: Record<string, string> = {
    "secrets.revokeOwn": ann.secret.id,
    "requests.cancelOwn": ann.request.id,
    "account.endSession": ann.sessionId,
    "tokens.revoke": ann.tokenId,
    "account.deletePasskey": ann.passkeyId,
    "account.deleteIdentity": ann.identityId,
    "hooks.change": ann.hookId,
    "hooks.remove": ann.hookId,
  };
  const named = MEMBERS.filter(({ path }) => path.includes("{id}"));
  expect(named.map(({ rpc }) => rpc).sort()).toEqual(Object.keys(ids).sort());
  for (const { rpc, method, path } of named) {
    const ask = async (id: string) => {
      const { status, body } = await call(service, path.replace("{id}", id), {
        method,
        headers: { cookie: bob.cookie },
      });
      return { status, body: { ...body, requestId: "" } };
    };
    const anothers = await ask(ids[rpc] ?? "");
    expect(anothers.status).toBe(404);
    expect(await ask("0123456789abcdef")).toEqual(anothers);
  }
  await call(service, "/api/users/me/sessions", { method: "DELETE", headers: { cookie: bob.cookie } });
  await call(service, "/api/users/me/password", {
    json: { password: bob.password, newPassword: "another password" },
    headers: { cookie: bob.cookie },
  });
  await call(service, "/api/users/me", {
    method: "DELETE",
    json: { password: "another password", secrets: "revoke" },
    headers: { cookie: bob.cookie },
  });
  expect(await lookAround(ann)).toBe(before);
  expect(
    (await call(service, "/api/tools", { headers: { authorization: `Bearer ${ann.token}` } })).status,
  ).toBe(200);
  const { key } = ann.secret;
  const read = await call(service, `/api/secrets/${ann.secret.id}/reveal`, { json: { key } });
  expect(read).toMatchObject({ status: 200, body: { content: ann.name } });
});
