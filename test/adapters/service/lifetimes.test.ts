import { beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../../../client/client.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { addMember, call, type AddedMember } from "../../support/members.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const HOUR = 3600;
const DAY = 86_400;
const service = withServer({ settings: { LIFETIMES: "1d,1h,60d" } });
let member: AddedMember;
beforeAll(async () => {
  member = await addMember(service);
});

const GATE = "g".repeat(43);
const WAYS = [
  ["a text", "/api/secrets", { content: "a" }],
  ["a file", "/api/secrets/file", undefined],
  ["a request", "/api/requests", { gate: GATE }],
] as const;

/** A call with this lifetime over REST. */
async function make(
  { path, json }: { path: string; json: object | undefined },
  expires: unknown,
  headers: Record<string, string> = {},
) {
  const ip = freshIp();
  if (json) return call(service, path, { json: { ...json, expires }, ip, headers });
  const url = expires === undefined ? path : `${path}?expires=${String(expires)}`;
  const type = { "content-type": "application/octet-stream" };
  const response = await service.request(url, {
    ...{ method: "POST", ip, body: "a", headers: { ...type, ...headers } },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe.each(WAYS)("%s", (_, path, json) => {
  test("lives as long as one of the list says, or the first", async () => {
    const seconds = async (expires: number | undefined) => {
      const { body } = await make({ path, json }, expires);
      return Date.parse(String(body.expiry)) / 1000 - service.clock.now;
    };
    expect([await seconds(undefined), await seconds(HOUR), await seconds(DAY)]).toEqual([DAY, HOUR, DAY]);
  });

  test.each([60, HOUR - 1, HOUR + 1, 60 * DAY, 90 * DAY])("of %d seconds is refused", async (expires) => {
    const expected = {
      code: "invalid_parameter",
      parameter: "expires",
      allowed: [DAY, HOUR],
      received: expires,
    };
    expect(await make({ path, json }, expires)).toMatchObject({ status: 400, body: expected });
  });

  test("may live longer for a member", async () => {
    const headers = { authorization: member.bearer };
    expect((await make({ path, json }, 60 * DAY, headers)).status).toBe(201);
    const { status, body } = await make({ path, json }, 30 * DAY, headers);
    expect([status, body.allowed]).toEqual([400, [DAY, HOUR, 60 * DAY]]);
  });

  test("with a lifetime that is no number is refused with the caller's list", async () => {
    const { status, body } = await make({ path, json }, "soon");
    expect([status, body.code, body.allowed]).toEqual([400, "invalid_parameter", [DAY, HOUR]]);
    expect(body.error).toContain("must be one of 86400, 3600; received");
    const own = await make({ path, json }, "soon", { authorization: member.bearer });
    expect([own.status, own.body.allowed]).toEqual([400, [DAY, HOUR, 60 * DAY]]);
  });
});

test("the typed client is refused in the same way", async () => {
  const client = service.client();
  const refusals = [
    client.secrets.create.mutate({ content: "a", expires: 60 }),
    client.secrets.createFile.mutate({ file: new Uint8Array(1), expires: 60 }),
    client.requests.create.mutate({ gate: GATE, expires: 60 }),
  ].map(async (refused) => failureOf(await refused.catch((error: unknown) => error)));
  for (const failure of await Promise.all(refusals))
    expect(failure).toMatchObject({ code: "invalid_parameter", allowed: [DAY, HOUR] });
});

test("catalogue, document and GET /api/instance tell the list", async () => {
  const { body: catalogue } = await call(service, "/api/tools");
  const limit = { unit: "seconds", minimum: 60 };
  expect(catalogue).toMatchObject({
    limits: { secretExpires: { ...limit, value: DAY, allowed: [DAY, HOUR] } },
    tiers: { member: { secretExpires: { ...limit, value: 60 * DAY, allowed: [DAY, HOUR, 60 * DAY] } } },
  });
  expect((await call(service, "/api/instance")).body).toMatchObject({
    limits: { secretExpires: DAY, secretExpiresDefault: DAY, secretExpiresAllowed: [DAY, HOUR] },
  });
  const document = await (await service.request("/api/openapi.json")).text();
  expect(document).toContain("Lifetime in seconds, one of 86400, 3600 (members: also 5184000)");
  expect(document).toContain('"enum":[86400,3600,5184000]');
});

test("a single lifetime is that of all, and MIN_LIFETIME bounds a free choice", async () => {
  const fixed = await startForTest({ settings: { LIFETIMES: "1h" } });
  const share = async (server: typeof fixed, expires: number) =>
    (await call(server, "/api/secrets", { json: { content: "a", expires } })).body;
  expect(await share(fixed, HOUR)).toMatchObject({ status: "active" });
  expect(await share(fixed, DAY)).toMatchObject({ allowed: [HOUR] });
  const long = await startForTest({ settings: { MIN_LIFETIME: "1h" } });
  expect(await share(long, HOUR)).toMatchObject({ status: "active" });
  expect(await share(long, HOUR - 1)).toMatchObject({ minimum: HOUR, maximum: 30 * DAY });
  expect((await call(long, "/api/instance")).body).toMatchObject({
    limits: { secretExpiresMinimum: HOUR, secretExpiresAllowed: null },
  });
});
