import { expect, test } from "vitest";
import { takeAllowance } from "../../../db/allowance.ts";
import { BROKEN_UPLOADS, DEFAULT_LIMITS } from "../../../router/limits.ts";
import { sweep } from "../../../router/sweeper.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { addMember, call } from "../../support/members.ts";
import { startForTest, withServer } from "../../support/with-server.ts";
import { enlargeSecret, spendStorage } from "./support/stored.ts";

const service = withServer({ maxSecretBytes: 8 * 1024 ** 3 });

interface Sender {
  readonly ip?: string;
  readonly headers?: Record<string, string>;
}

const create = (from: Sender) => call(service, "/api/secrets", { json: { content: "hush" }, ...from });
const spend = (who: string, amount: number) => spendStorage(service, who, amount);
const enlarge = (id: unknown, size: number) => enlargeSecret(service, String(id), size);

const upload = (bytes: Uint8Array<ArrayBuffer> | ReadableStream, from: Sender) =>
  service.request("/api/secrets/file", { method: "POST", body: bytes, ...from });

test("counts a file while it arrives, and gives back what is not stored after all", async () => {
  const ip = freshIp();
  await spend(`address ${ip}`, DEFAULT_LIMITS.anonymous.storedBytes - 400_000);
  const over = await upload(new Uint8Array(1_000_000), { ip });
  expect([over.status, await over.json()]).toMatchObject([413, { code: "storage_quota" }]);
  let pulls = 0;
  const cut = new ReadableStream({
    pull(controller) {
      if (pulls++ < 4) controller.enqueue(new Uint8Array(65_536));
      else controller.error(new Error("cut"));
    },
  });
  expect((await upload(cut, { ip })).status).toBe(400);
  expect((await upload(new Uint8Array(300_000), { ip })).status).toBe(201);
  expect((await upload(new Uint8Array(99_000), { ip })).status).toBe(201);
  expect((await upload(new Uint8Array(1000), { ip })).status).toBe(413);
});

test("counts the files that still arrive among those of an account", async () => {
  const { bearer } = await addMember(service);
  const own = { headers: { authorization: bearer } };
  const large = await create(own);
  let finish = () => {};
  const waiting = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(900_000));
      finish = () => controller.close();
    },
  });
  const arriving = upload(waiting, own);
  const stored = service.db.query.selectFrom("secret_file").select("size").where("size", ">", 500_000);
  await expect.poll(() => stored.execute()).toHaveLength(1);
  await enlarge(large.body.id, DEFAULT_LIMITS.member.storedBytes - 1_000_000);
  const over = await upload(new Uint8Array(300_000), own);
  expect([over.status, await over.json()]).toMatchObject([413, { code: "storage_quota", tier: "member" }]);
  finish();
  expect((await arriving).status).toBe(201);
});

test("takes those of several files at once that came first, where not all of them fit", async () => {
  const ip = freshIp();
  await spend(`address ${ip}`, DEFAULT_LIMITS.anonymous.storedBytes - 2_100_000);
  const length = { headers: { "content-length": "1000000" } };
  const sent = await Promise.all(
    [1, 2, 3, 4, 5].map(() => upload(new Uint8Array(1_000_000), { ip, ...length })),
  );
  expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 201, 413, 413, 413]);
  const refused = sent.find(({ status }) => status === 413);
  expect(await refused?.json()).toMatchObject({ code: "storage_quota", actual: 1_000_000 + 16 * 16 });
  expect((await upload(new Uint8Array(98_000), { ip })).status).toBe(201);
});

/** Counts uploads of a number of bytes as broken off before. */
async function breakBefore(who: string, bytes: number): Promise<void> {
  const key = service.services.rateKey(who);
  const window = { bucket: "brokenUploads", key, limit: 2 ** 31, windowSeconds: 3600 };
  await takeAllowance(service.db, { ...window, now: service.clock.now, amount: bytes });
}

/** A body whose connection is lost after six chunks, which are one step of storing. */
function brokenOff(): ReadableStream {
  let pulls = 0;
  return new ReadableStream({
    pull(controller) {
      if (pulls++ < 12) controller.enqueue(new Uint8Array(65_536));
      else controller.error(new Error("cut"));
    },
  });
}

test("lets an address break off uploads of 100 MiB in an hour, and lets it send others then", async () => {
  const [ip, value] = [freshIp(), BROKEN_UPLOADS.anonymous];
  expect(value).toBe(104_857_600);
  await breakBefore(`address ${ip}`, value - 1);
  expect((await upload(brokenOff(), { ip })).status).toBe(400);
  const refused = await upload(new Uint8Array(10), { ip });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
  expect(await refused.json()).toMatchObject({
    ...{ code: "rate_limited", limit: "brokenUploads", value, unit: "bytes", window: 3600 },
    ...{ remaining: 0, retryAfter: 3600, tier: "anonymous" },
  });
  expect((await create({ ip })).status).toBe(201);
  expect((await upload(new Uint8Array(10), {})).status).toBe(201);
  service.clock.now += 3600;
  expect((await upload(new Uint8Array(10), { ip })).status).toBe(201);
});

test("counts what a member breaks off by account, and lets it be 1 GiB", async () => {
  const { bearer, id } = await addMember(service);
  const own = { headers: { authorization: bearer } };
  expect(BROKEN_UPLOADS.member).toBe(1_073_741_824);
  await breakBefore(`member ${id}`, BROKEN_UPLOADS.member - 1);
  expect((await upload(brokenOff(), { ...own, ip: freshIp() })).status).toBe(400);
  const refused = await upload(new Uint8Array(10), { ...own, ip: freshIp() });
  expect(await refused.json()).toMatchObject({ code: "rate_limited", tier: "member" });
});

test("counts no broken upload where the server was at fault", async () => {
  const small = await startForTest({ maxSecretBytes: 1_600_000 });
  const ip = freshIp();
  const send = (bytes: number) =>
    small.request("/api/secrets/file", { method: "POST", body: new Uint8Array(bytes), ip });
  expect((await send(1_300_000)).status).toBe(503);
  const broken = small.db.query.selectFrom("allowance").select("count").where("bucket", "=", "brokenUploads");
  expect(await broken.execute()).toEqual([]);
});

test("gives the day of an address back what an upload had claimed whose server is gone", async () => {
  const [own, ip] = [await startForTest(), freshIp()];
  const length = { "content-length": "3000000" };
  const waiting = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(900_000)) });
  // Nobody tells the service that it lives on: its clock is ahead of its timers.
  void own.request("/api/secrets/file", { method: "POST", body: waiting, ip, headers: length });
  const arriving = own.db.query.selectFrom("secret_file").select("size").where("size", ">", 500_000);
  await expect.poll(() => arriving.execute()).toHaveLength(1);
  const counted = async () => {
    const key = own.services.rateKey(`address ${ip}`);
    const row = own.db.query.selectFrom("allowance").select("count").where("key", "=", key);
    return (await row.where("bucket", "=", "storedBytes").executeTakeFirstOrThrow()).count;
  };
  const claimed = 3_000_000 + 46 * 16;
  const days = { receiptDays: 30, usageDays: 30 };
  own.clock.now += 29;
  await sweep(own.db, { now: own.clock.now, ...days });
  expect([await counted(), (await arriving.execute()).length]).toEqual([claimed, 1]);
  own.clock.now += 1;
  await sweep(own.db, { now: own.clock.now, ...days });
  expect([await counted(), (await arriving.execute()).length]).toEqual([0, 0]);
  await sweep(own.db, { now: own.clock.now, ...days });
  expect(await counted()).toBe(0);
});

test("has room again at once where an upload was refused or cut", async () => {
  const small = await startForTest({ maxSecretBytes: 1_600_000 });
  const send = (bytes: number) =>
    small.request("/api/secrets/file", { method: "POST", body: new Uint8Array(bytes), ip: freshIp() });
  expect((await send(1_200_000)).status).toBe(503);
  expect((await send(900_000)).status).toBe(201);
});
