import { expect, test } from "vitest";
import { Budgets } from "../../../adapters/service/call-budget.ts";
import { DEFAULT_LIMITS } from "../../../router/limits.ts";

const OVERLOADED = expect.objectContaining({ code: "overloaded", status: 503 });

/** As many requests as callers are named, each with a budget of its own. */
function requestsOf(memoryBytes: number, ...callers: string[]) {
  const budgets = new Budgets(memoryBytes);
  return { budgets, requests: callers.map((rate) => openFor(budgets, rate)) };
}

function openFor(
  budgets: Budgets,
  rate: string,
  { declaredBytes, site }: { declaredBytes?: number; site?: string } = {},
) {
  const body = { declaredBytes, decodedBytes: 0, onBytes: () => undefined };
  return budgets.open({ address: { rate, site, usage: "" }, body });
}

test.each([
  [39, true],
  [40, true],
  [41, false],
])("beside 60 of 100 bytes, %i more are admitted: %s", (bytes, isAdmitted) => {
  const { budgets, requests } = requestsOf(100, "a", "b");
  requests[0]!.claimMemory(60);
  const claim = () => requests[1]!.claimMemory(bytes);
  if (isAdmitted) claim();
  else expect(claim).toThrow(OVERLOADED);
  expect(budgets.claimedBytes).toBe(isAdmitted ? 60 + bytes : 60);
});

test("a request is not in its own way: the most that it asked for counts, also above the budget", () => {
  const { budgets, requests } = requestsOf(100, "a", "b");
  const [request, other] = requests;
  for (const bytes of [60, 50, 90, 300]) request!.claimMemory(bytes);
  expect(budgets.claimedBytes).toBe(300);
  expect(() => other!.claimMemory(1)).toThrow(OVERLOADED);
  request!.release();
  request!.release();
  expect(budgets.claimedBytes).toBe(0);
});

test("a request that grows too large beside another holds nothing any more", () => {
  const { budgets, requests } = requestsOf(100, "a", "b");
  requests[0]!.claimMemory(50);
  requests[1]!.claimMemory(50);
  expect(() => requests[1]!.claimMemory(51)).toThrow(OVERLOADED);
  expect(budgets.claimedBytes).toBe(50);
});

test("nothing is left of fractions once they are released, and a request above the budget gets in again", () => {
  const { budgets, requests } = requestsOf(1000, "a", "b", "c");
  const [first, second, third] = requests;
  first!.claimMemory(0.4 * 4);
  second!.claimMemory(3.2 * 1);
  first!.release();
  second!.release();
  expect(budgets.claimedBytes).toBe(0);
  third!.claimMemory(2000);
});

test("what was released can be claimed again, and only once", () => {
  const { budgets, requests } = requestsOf(100, "a", "b", "c");
  const [first, second, third] = requests;
  first!.claimMemory(100);
  expect(() => second!.claimMemory(1)).toThrow(OVERLOADED);
  first!.release();
  first!.release();
  expect(budgets.claimedBytes).toBe(0);
  second!.claimMemory(100);
  expect(() => third!.claimMemory(1)).toThrow(expect.objectContaining({ details: { retryAfter: 5 } }));
});

test("a job above the budget gets in alone, and nobody beside it", () => {
  const { requests } = requestsOf(100, "a", "b", "c");
  const [small, large, other] = requests;
  small!.claimMemory(1);
  expect(() => large!.claimMemory(101)).toThrow(OVERLOADED);
  small!.release();
  large!.claimMemory(101);
  expect(() => other!.claimMemory(1)).toThrow(OVERLOADED);
  large!.release();
  other!.claimMemory(99);
});

test.each([
  [14, true],
  [15, true],
  [16, false],
])("beside 10 bytes of its caller a request holds %i of a budget of 100: %s", (bytes, isAdmitted) => {
  const { requests } = requestsOf(100, "a", "a", "b");
  const [first, second, other] = requests;
  first!.claimMemory(10);
  if (isAdmitted) second!.claimMemory(bytes);
  else
    expect(() => second!.claimMemory(bytes)).toThrow(
      expect.objectContaining({ code: "too_many_concurrent" }),
    );
  other!.claimMemory(50);
});

test("a caller's first request may grow on, whatever the second holds", () => {
  const { requests } = requestsOf(100, "a", "a");
  const [first, second] = requests;
  first!.claimMemory(10);
  second!.claimMemory(15);
  first!.claimMemory(80);
  expect(() => second!.claimMemory(16)).toThrow(expect.objectContaining({ code: "too_many_concurrent" }));
});

test("small requests get in beside one that fills the budget, to an eighth of it together", () => {
  const { budgets, requests } = requestsOf(1024, "a", ...Array.from({ length: 20 }, (_, i) => `b${i}`));
  const [large, first, ...others] = requests;
  large!.claimMemory(2000);
  expect(() => first!.claimMemory(9)).toThrow(OVERLOADED);
  for (const small of [first, ...others.slice(0, 15)]) small!.claimMemory(8);
  expect(() => others[15]!.claimMemory(8)).toThrow(OVERLOADED);
  expect(budgets.claimedBytes).toBe(2000 + 128);
});

test("a call whose answer has left claims nothing any more", () => {
  const budgets = new Budgets(100);
  const left = openFor(budgets, "a");
  left.claimMemory(10);
  left.release();
  left.claimMemory(50);
  left.claimPlace();
  expect(budgets.claimedBytes).toBe(0);
  for (let i = 0; i < DEFAULT_LIMITS.anonymous.concurrentCalls; i++) openFor(budgets, "a").claimPlace();
});

test("what is announced must have a chance to fit, and takes nothing", () => {
  const { budgets, requests } = requestsOf(100, "a");
  requests[0]!.claimMemory(60);
  openFor(budgets, "b", { declaredBytes: 20 }).claimBody(2);
  expect(() => openFor(budgets, "b", { declaredBytes: 21 }).claimBody(2)).toThrow(OVERLOADED);
  expect(budgets.claimedBytes).toBe(60);
});

test("calls of one request run in turn, and one that fails lets the next one run", async () => {
  const request = openFor(new Budgets(1), "a");
  const order: string[] = [];
  const failing = request.inTurn(() => Promise.reject(new Error("broken")));
  const throwing = request.inTurn(() => {
    throw new Error("broken at once");
  });
  const first = request.inTurn(async () => void order.push("first"));
  const second = request.inTurn(async () => void order.push("second"));
  await expect(failing).rejects.toThrow("broken");
  await expect(throwing).rejects.toThrow("broken at once");
  await first;
  await Promise.all([second, request.inTurn(async () => void order.push("late"))]);
  expect(order).toEqual(["first", "second", "late"]);
});

const MOST = DEFAULT_LIMITS.anonymous.concurrentCalls;
const TOO_MANY = expect.objectContaining({ code: "too_many_concurrent" });

test("a caller has so many places, others their own, and a request gives back its own once", () => {
  const budgets = new Budgets(1);
  const open = () => openFor(budgets, "a");
  const requests = Array.from({ length: MOST }, open);
  for (const request of requests) request.claimPlace();
  requests[0]!.claimPlace();
  expect(() => open().claimPlace()).toThrow(TOO_MANY);
  openFor(budgets, "b").claimPlace();
  requests[0]!.release();
  requests[0]!.release();
  open().claimPlace();
  expect(() => open().claimPlace()).toThrow(TOO_MANY);
});

test("a member has more places, and the addresses of one /48 four times as many together", () => {
  const budgets = new Budgets(1);
  const member = { tier: "member", memberId: "m", memberName: "m", via: "token", credentialId: "c" } as const;
  const places = Array.from({ length: DEFAULT_LIMITS.member.concurrentCalls + 1 }, () =>
    openFor(budgets, "a"),
  );
  for (const request of places) request.identified(member);
  const last = places.pop()!;
  for (const request of places) request.claimPlace();
  expect(() => last.claimPlace()).toThrow(TOO_MANY);

  const inSite = (i: number) => openFor(budgets, `${i}`, { site: "s" });
  for (let i = 0; i < 4 * MOST; i++) inSite(i).claimPlace();
  expect(() => inSite(100).claimPlace()).toThrow(TOO_MANY);
  // What was refused has taken no place of its own.
  openFor(budgets, "100").claimPlace();
});
