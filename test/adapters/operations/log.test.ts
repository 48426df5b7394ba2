import { TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { createLog, type LogLevel } from "../../../adapters/operations/log.ts";

const clock = () => Date.parse("2026-11-21T06:00:00.000Z");

function openLog(level?: LogLevel) {
  const lines: string[] = [];
  return { log: createLog({ write: (line) => void lines.push(line), clock, level }), lines };
}

function readFault(error: unknown): { name: string; code?: string; frames: string[] } {
  const { log, lines } = openLog();
  log.fault(error, "abc");
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? "");
}

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("writes a request as one line of JSON with its route pattern and whole milliseconds", () => {
  const { log, lines } = openLog();
  log.request({
    requestId: "abc",
    method: "POST",
    route: "/api/secrets/:id",
    status: 200,
    milliseconds: 3.6,
  });
  expect(lines).toEqual([
    '{"time":"2026-11-21T06:00:00.000Z","event":"request","requestId":"abc","method":"POST",' +
      '"route":"/api/secrets/:id","status":200,"milliseconds":4}',
  ]);
});

test.each([
  ["error", ["fault", "fault"]],
  ["warn", ["fault", "fault", "login_failed", "no_public_url"]],
  ["info", ["fault", "fault", "login_failed", "no_public_url", "request", "listening"]],
] as const)("writes with the level %s no more than %j", (level, events) => {
  const { log, lines } = openLog(level);
  log.fault(new Error("x"), "abc");
  log.outage(new Error("x"), "database");
  log.security("login_failed");
  log.warn("no_public_url", { url: "http://0.0.0.0:3000" });
  log.request({ requestId: "abc", method: "GET", route: "/", status: 200, milliseconds: 1 });
  log.info("listening");
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(events);
});

test("writes only the fields it knows of a request", () => {
  const { log, lines } = openLog();
  const entry = {
    requestId: "abc",
    method: "GET",
    route: "/",
    status: 200,
    milliseconds: 1,
    url: "/?password=x",
  };
  log.request(entry);
  expect(lines[0]).not.toContain("password");
});

test("writes an event with and without fields", () => {
  const { log, lines } = openLog();
  log.info("start", { port: 3000 });
  log.info("stop");
  expect(lines).toEqual([
    '{"time":"2026-11-21T06:00:00.000Z","event":"start","port":3000}',
    '{"time":"2026-11-21T06:00:00.000Z","event":"stop"}',
  ]);
});

test("keeps what would break a line inside it", () => {
  const { log, lines } = openLog();
  log.info("start", { host: "a\nb\u2028" });
  expect(lines[0]).not.toContain("\n");
});

test("logs the name and the place of a fault and nothing of its message", () => {
  const fault = readFault(caught(() => new TextDecoder().decode("canary" as never)));
  expect(fault.name).toBe("TypeError");
  expect(fault.frames.join("\n")).toContain("test/adapters/operations/log.test.ts:");
  expect(JSON.stringify(fault)).not.toContain("canary");
});

test.each([
  ["ECONNREFUSED", "ECONNREFUSED"],
  ["57P01", "57P01"],
  ["SQLITE_FULL", "SQLITE_FULL"],
  ["INTERNAL_SERVER_ERROR", undefined],
  ["canary of a caller", undefined],
])("logs the code %j of the innermost cause as %j", (code, logged) => {
  const cause = Object.assign(new Error("canary"), { code });
  const wrapped = new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: new Error("lost", { cause }) });
  expect(readFault(wrapped)).toHaveProperty("requestId", "abc");
  expect(readFault(wrapped).code).toBe(logged);
  expect(JSON.stringify(readFault(wrapped))).not.toContain("canary");
});

test("hides a message of several lines, one that imitates frames too", () => {
  const error = new Error("canary\n    at canary (/srv/canary.ts:1:2)");
  expect(JSON.stringify(readFault(error))).not.toContain("canary");
});

test("unwraps what tRPC wraps, also with a message of its own", () => {
  const cause = new RangeError("canary\n    at canary (/srv/canary.ts:1:2)");
  for (const message of [undefined, "Something else"]) {
    const wrapped = new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause, ...(message ? { message } : {}) });
    wrapped.stack = cause.stack ?? "";
    const fault = readFault(wrapped);
    expect(fault.name).toBe("RangeError");
    expect(JSON.stringify(fault)).not.toContain("canary");
  }
});

test("comes to an end where causes form a ring", () => {
  const one = new Error("one");
  const two = new Error("two", { cause: one });
  one.cause = two;
  one.stack = two.stack = "Error: two\n    at readPage (/srv/load.ts:1:2)";
  expect(readFault(one).name).toBe("Error");
});

test.each([
  [
    "at parse (file:///srv/a b/node_modules/zod/lib/parse.js:1:2)",
    "at parse (node_modules/zod/lib/parse.js:1:2)",
  ],
  ["at /srv/node_modules/a/node_modules/b/i.js:1:2", "at node_modules/b/i.js:1:2"],
  ["at async C:\\srv\\node_modules\\zod\\i.js:1:2", "at async node_modules\\zod\\i.js:1:2"],
  ["at async read (/home/somebody/read.ts:1:2)", "at async read (read.ts:1:2)"],
  ["at node:internal/process/task_queues:95:5", "at node:internal/process/task_queues:95:5"],
  ["at new Reader (node:fs/promises:9:1)", "at new Reader (node:fs/promises:9:1)"],
])("shortens the frame %j", (frame, shortened) => {
  const error = new Error("canary");
  error.stack = `Error: canary\n    ${frame}`;
  expect(readFault(error).frames).toEqual([shortened]);
});

test("holds no absolute path of a fault that passes through a package", () => {
  const schema = z.string().transform(() => {
    throw new RangeError("canary");
  });
  const fault = readFault(caught(() => schema.parse("")));
  expect(fault.frames.join("\n")).toContain("(node_modules/zod/");
  for (const frame of fault.frames) expect(frame).not.toMatch(/file:|[ (]\/|:\\/);
});

test.each([["a string"], [undefined], [null], [{ message: "canary", stack: "canary" }]])(
  "names %j, which is no error, just Error",
  (thrown) => {
    expect(readFault(thrown)).toMatchObject({ name: "Error", frames: [] });
  },
);

test("writes an unavailable database at most once a second for each code, with that code", () => {
  const clock = { now: 0 };
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line), clock: () => clock.now });
  const meet = (code: string) => log.outage(Object.assign(new Error("canary"), { code }), "database");
  for (const [now, code] of [
    [0, "SQLITE_FULL"],
    [10, "SQLITE_FULL"],
    [20, "57P01"],
    [999, "SQLITE_FULL"],
    [1000, "SQLITE_FULL"],
  ] as const) {
    clock.now = now;
    meet(code);
  }
  const codes = lines.map((line) => JSON.parse(line)).map(({ event, code }) => [event, code]);
  expect(codes).toEqual([
    ["fault", "SQLITE_FULL"],
    ["fault", "57P01"],
    ["fault", "SQLITE_FULL"],
  ]);
  expect(lines.join()).not.toContain("canary");
});

test("writes one line a minute of a receiver that takes no webhook, with how many were refused", () => {
  const clock = { now: 0 };
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line), clock: () => clock.now });
  for (let i = 0; i < 500; i++) {
    clock.now = i * 250;
    log.outage(Object.assign(new Error("canary"), { code: "webhook_unreachable" }), "webhook");
  }
  const counts = lines.map((line) => JSON.parse(line)).map(({ code, count }) => [code, count]);
  expect(counts).toEqual([1, 240, 240].map((count) => ["webhook_unreachable", count]));
});

test("writes a security event without anything else", () => {
  const { log, lines } = openLog();
  log.security("login_failed");
  expect(lines).toEqual(['{"time":"2026-11-21T06:00:00.000Z","event":"login_failed","kind":"security"}']);
});
