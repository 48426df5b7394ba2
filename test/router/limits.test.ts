import { expect, test } from "vitest";
import { failureOf } from "../../client/client.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { openBody } from "../support/harness.ts";
import { jsonPost } from "../support/requests.ts";
import { startForTest, withServer } from "../support/with-server.ts";

const service = withServer();

const password = (ip: string) => service.request("/api/tools/password", { ip });

test("answers the sixty-first tool call of fifteen minutes with 429 and the window", async () => {
  const ip = freshIp();
  for (let i = 0; i < 60; i++) {
    const response = await password(ip);
    expect(response.headers.get("ratelimit")).toBe(`"tools";r=${59 - i};t=900`);
  }
  service.clock.now += 100;
  const response = await password(ip);
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("800");
  expect(await response.json()).toMatchObject({
    ...{ code: "rate_limited", limit: "calls", value: 60, unit: "calls" },
    ...{ window: 900, remaining: 0, retryAfter: 800, tier: "anonymous" },
  });
  service.clock.now += 800;
  expect((await password(ip)).status).toBe(200);
});

test("lets exactly sixty of a hundred parallel calls through, over REST and RPC together", async () => {
  const ip = freshIp();
  const client = service.client({ ip });
  const typed = async () => {
    const answer = await client.tools.password.mutate({}).catch((error: unknown) => error);
    return failureOf(answer)?.code;
  };
  const plain = async () => ((await (await password(ip)).json()) as { code?: string }).code;
  const codes = await Promise.all(Array.from({ length: 100 }, (_, i) => (i % 2 ? typed() : plain())));
  // What was let through may still be one too many at the same moment.
  expect(codes.filter((code) => code === "rate_limited")).toHaveLength(40);
});

test("counts a batch once for each call in it and refuses more than ten", async () => {
  const ip = freshIp();
  const batch = (calls: number) =>
    service.request(`/trpc/${Array(calls).fill("tools.password").join(",")}?batch=1`, {
      ...jsonPost(Object.fromEntries(Array.from({ length: calls }, (_, i) => [i, {}]))),
      ip,
    });
  const ten = await batch(10);
  expect(ten.status).toBe(200);
  expect((await password(ip)).headers.get("ratelimit")).toBe('"tools";r=49;t=900');
  const eleven = await batch(11);
  expect(eleven.status).toBe(400);
});

test("keeps the addresses of one IPv6 /64 together, and IPv4 inside IPv6 with itself", async () => {
  const left = async (ip: string) => (await password(ip)).headers.get("ratelimit");
  expect(await left("2001:db8:1:2::1")).toBe('"tools";r=59;t=900');
  expect(await left("2001:db8:1:2:ffff::9")).toBe('"tools";r=58;t=900');
  expect(await left("2001:db8:1:3::1")).toBe('"tools";r=59;t=900');
  expect(await left("198.51.100.7")).toBe('"tools";r=59;t=900');
  expect(await left("::ffff:198.51.100.7")).toBe('"tools";r=58;t=900');
});

test("believes no X-Forwarded-For from an untrusted address", async () => {
  const ip = freshIp();
  await password(ip);
  const response = await service.request("/api/tools/password", {
    ip,
    headers: { "x-forwarded-for": "192.0.2.1" },
  });
  expect(response.headers.get("ratelimit")).toBe('"tools";r=58;t=900');
});

test("does not count the catalogue, OPTIONS, HEAD and health", async () => {
  const ip = freshIp();
  await service.request("/api/tools", { ip });
  await service.request("/api/tools", { ip, method: "HEAD" });
  await service.request("/api/tools/password", { ip, method: "OPTIONS" });
  await service.request("/api/tools/password", { ip, method: "HEAD" });
  await service.request("/trpc/tools.catalogue?input=%7B%7D", { ip, method: "HEAD" });
  await service.request("/healthz", { ip });
  expect((await password(ip)).headers.get("ratelimit")).toBe('"tools";r=59;t=900');
});

test("answers a third call at once with 429 and lets it in when one has ended", async () => {
  const ip = freshIp();
  const ends: (() => void)[] = [];
  const slow = () => service.request("/api/tools/file-hash", { method: "POST", ip, body: openBody(ends) });
  const [first, second] = [slow(), slow()];
  await expect.poll(() => ends.length).toBe(2);
  const third = await password(ip);
  expect(third.status).toBe(429);
  expect(await third.json()).toMatchObject({
    code: "too_many_concurrent",
    limit: "concurrentCalls",
    value: 2,
  });
  for (const end of ends) end();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect((await password(ip)).status).toBe(200);
});

test("does not refuse a batch because of its own calls", async () => {
  const tight = await startForTest({ memoryBudget: 1000 });
  const file = { $bytes: Buffer.from("no PDF".repeat(20)).toString("base64") };
  const path = `/trpc/${Array<string>(3).fill("tools.pdfRotate").join(",")}?batch=1`;
  const body = JSON.stringify({ 0: { file }, 1: { file }, 2: { file } });
  const headers = { "content-type": "application/json", "content-length": String(body.length) };
  const response = await tight.request(path, { method: "POST", body, headers });
  const answers = (await response.json()) as { error: { data: { code: string } } }[];
  expect(answers.map(({ error }) => error.data.code)).toEqual(Array(3).fill("wrong_file_type"));
});

test("answers 503 while memory is full, whoever asks", async () => {
  const tight = await startForTest({ memoryBudget: 1 });
  const body = { declaredBytes: undefined, decodedBytes: 0, onBytes: () => undefined };
  const others = tight.budgets.open({ address: { rate: "somebody else", usage: "" }, body });
  others.claimMemory(1);
  const response = await tight.request("/api/tools/file-hash", { method: "POST", body: "x".repeat(100) });
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await response.json()).toMatchObject({ code: "overloaded" });
  others.release();
  expect((await tight.request("/api/tools/password")).status).toBe(200);
});

test("answers 503 when the store of secrets is full, and keeps nothing", async () => {
  const full = await startForTest({ maxSecretBytes: 100 });
  const response = await full.request("/", { method: "POST", body: "x".repeat(200) });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "storage_full", retryAfter: 60 });
  expect((await full.request("/", { method: "POST", body: "short" })).status).toBe(201);
});

test("throttles wrong credentials by address before any look-up", async () => {
  const ip = freshIp();
  const wrong = () => service.request("/api/tools", { ip, headers: { authorization: "Bearer nonsense" } });
  for (let i = 0; i < 30; i++) expect((await wrong()).status).toBe(401);
  expect((await wrong()).status).toBe(429);
});
