import { beforeEach, expect, test } from "vitest";
import { call, register, type Registered } from "../../support/members.ts";
import { withServer } from "../../support/with-server.ts";

const DAY = 86_400;
const SESSIONS = "/api/users/me/sessions";

const service = withServer();
let ann: Registered;
beforeEach(async () => void (ann = await register(service)));

async function loginElsewhere({ name, password }: Registered): Promise<string> {
  const { cookie } = await call(service, "/api/account/login", { json: { name, password } });
  return cookie ?? "";
}

interface Listed {
  readonly id: string;
  readonly isCurrent: boolean;
}

async function list(cookie: string): Promise<Listed[]> {
  return (await call(service, SESSIONS, { headers: { cookie } })).body.sessions as Listed[];
}

const remove = (path: string, cookie: string) =>
  call(service, path, { method: "DELETE", headers: { cookie } });

test("lists a member's sessions, the last used first, and none that is over", async () => {
  const { clock } = service;
  const began = clock.now;
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  clock.now = began + DAY;
  const cookie = await loginElsewhere(ann);
  const [second, first] = await list(cookie);
  const id = expect.stringMatching(/^[0-9A-Za-z]{16}$/);
  const about = { id, created: at(began + DAY), lastUsed: at(began + DAY), expiry: at(began + 8 * DAY) };
  expect(second).toEqual({ ...about, isCurrent: true });
  expect(first).toMatchObject({ created: at(began), expiry: at(began + 7 * DAY), isCurrent: false });
  clock.now = began + 7 * DAY;
  expect(await list(cookie)).toHaveLength(1);
});

test("names a session by a handle from which its cookie does not follow", async () => {
  const [session] = await list(ann.cookie);
  expect(ann.cookie).not.toContain(session?.id);
  const headers = { cookie: `service_user_session=${session?.id}` };
  expect((await call(service, "/api/users/me", { headers })).status).toBe(401);
});

test("ends another session at once", async () => {
  const cookie = await loginElsewhere(ann);
  const other = (await list(ann.cookie)).find(({ isCurrent }) => !isCurrent);
  const ended = await remove(`${SESSIONS}/${other?.id}`, ann.cookie);
  expect(ended).toMatchObject({ status: 200, body: { id: other?.id, ended: true }, cookie: undefined });
  expect((await call(service, "/api/users/me", { headers: { cookie } })).status).toBe(401);
  expect(await remove(`${SESSIONS}/${other?.id}`, ann.cookie)).toMatchObject({
    status: 404,
    body: { code: "not_found" },
  });
});

test("ends its own session and clears the cookie", async () => {
  const [own] = await list(ann.cookie);
  expect(await remove(`${SESSIONS}/${own?.id}`, ann.cookie)).toMatchObject({ status: 200, cookie: "" });
  expect((await remove(`${SESSIONS}/${own?.id}`, ann.cookie)).status).toBe(401);
});

test("ends all other sessions and stays logged in", async () => {
  const others = [await loginElsewhere(ann), await loginElsewhere(ann)];
  expect(await remove(SESSIONS, ann.cookie)).toMatchObject({ status: 200, body: { ended: 2 } });
  for (const cookie of others) {
    expect((await call(service, "/api/users/me", { headers: { cookie } })).status).toBe(401);
  }
  expect(await list(ann.cookie)).toMatchObject([{ isCurrent: true }]);
});
