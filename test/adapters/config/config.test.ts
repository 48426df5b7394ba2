import { availableParallelism, totalmem } from "node:os";
import { describe, expect, test } from "vitest";
import { ConfigError, configHelp, readConfig, type Config } from "../../../adapters/config/config.ts";

const machine = { memoryBytes: 1_000_000_000, cores: 6 };
const read = (env: Record<string, string | undefined>) => readConfig(env, machine);

const DEFAULTS: Config = {
  port: 3000,
  host: "127.0.0.1",
  publicUrl: "http://127.0.0.1:3000",
  databaseUrl: "data/service.db",
  trust: "none",
  registration: "open",
  anonymous: "all",
  receiptDays: 30,
  usageDays: 90,
  memoryBudget: 400_000_000,
  workers: 6,
  workSeconds: 30,
  drainSeconds: 5,
  maxSecretBytes: 4_294_967_296,
  logLevel: "info",
  metricsPort: undefined,
};

// Variable, key, the end of the sentence about a bad value, good texts with their values, bad texts
type Row = [string, keyof Config, string, [string, unknown][], string[]];

const SIZE = "in bytes or with KB, MB, GB, TB, KiB, MiB, GiB or TiB";
const NO_NUMBERS = ["-1", "+1", "1.5", "1e3", "0x10", "1 2", "１", "NaN", "Infinity", "9999999999"];

const ROWS: Row[] = [
  [
    ...(["PORT", "port", "a whole number from 0 to 65535"] as const),
    [
      ...([
        ["0", 0],
        ["1", 1],
        ["8080", 8080],
        ["65535", 65535],
        [" 80 ", 80],
      ] as [string, number][]),
    ],
    ["65536", "80a", ...NO_NUMBERS],
  ],
  [
    ...(["HOST", "host", "an IPv4 address, an IPv6 address or a host name, without a port"] as const),
    [
      ["0.0.0.0", "0.0.0.0"],
      ["::", "::"],
      ["[::1]", "::1"],
      ["localhost", "localhost"],
      ["my_app-1.internal", "my_app-1.internal"],
      ["3com.example", "3com.example"],
    ],
    [
      "http://a",
      "a b",
      "a:80",
      "127.0.0.1:80",
      "[::1]:80",
      "[a]",
      "[127.0.0.1]",
      "256.1.1.1",
      "1.2.3",
      "a..b",
      ":",
    ],
  ],
  [
    ...([
      "PUBLIC_URL",
      "publicUrl",
      "an http:// or https:// URL without user name, query and fragment; a path in it has only letters, digits and ._~-",
    ] as const),
    [
      ["https://hush.example", "https://hush.example"],
      ["https://hush.example/", "https://hush.example"],
      ["HTTPS://Hush.example:443/", "https://hush.example"],
      ["http://hush.example:8080/base//", "http://hush.example:8080/base"],
      ["http://[::1]:3000", "http://[::1]:3000"],
    ],
    [
      ...[
        "hush.example",
        "ftp://hush.example",
        "https://",
        "https:hush.example",
        "//hush.example",
        "https://a b",
      ],
      ...["https://a/?", "https://a/?b=c", "https://a/#", "https://a/#b", "https://a:b@c", "https://a@b"],
      ...["https://a\\b", "https://a:99999", "javascript:alert(1)"],
      ...["https://a/b c", "https://a/%62", "https://a/:b", "https://a/*", "https://a/b//c", "https://a/é"],
    ],
  ],
  [
    ...(["DATABASE_URL", "databaseUrl", "the path of a SQLite file, or a postgres:// URL"] as const),
    [
      ["/var/lib/hushkit/a b.db", "/var/lib/hushkit/a b.db"],
      ["C:\\data\\service.db", "C:\\data\\service.db"],
      [":memory:", ":memory:"],
      [
        "postgres://user:word@db:5432/hush?sslmode=require",
        "postgres://user:word@db:5432/hush?sslmode=require",
      ],
      ["postgresql:///hush", "postgresql:///hush"],
    ],
    [
      "mysql://db/hush",
      "sqlite:a.db",
      "file:a.db",
      "https://db",
      "postgres://db:port/hush",
      "postgres://a:b/c@db/d",
    ],
  ],
  [
    ...(["TRUST_PROXY", "trust"] as const),
    "none, a whole number of proxies from 1 to 32, or CIDR ranges such as 10.0.0.0/8,fd00::/8",
    [
      ["none", "none"],
      ["1", { hops: 1 }],
      ["32", { hops: 32 }],
      ["10.0.0.0/8", { ranges: ["10.0.0.0/8"] }],
      ["10.0.0.0/8, fd00::/8,192.0.2.1", { ranges: ["10.0.0.0/8", "fd00::/8", "192.0.2.1"] }],
    ],
    ["0", "33", "true", "all", "10.0.0.0/33", "10.0.0.0/8,", "10.0.0.0/8,loopback", "10.0.0.0/8;fd00::/8"],
  ],
  [
    ...(["REGISTRATION", "registration", "open or closed"] as const),
    [
      ["open", "open"],
      ["closed", "closed"],
    ],
    ["Open", "true", "no", "constructor"],
  ],
  [
    ...(["ANONYMOUS", "anonymous", "all, secrets, tools or none"] as const),
    [
      ["all", "all"],
      ["secrets", "secrets"],
      ["tools", "tools"],
      ["none", "none"],
    ],
    ["All", "true", "secrets,tools", "toString"],
  ],
  ...(["RECEIPT_DAYS", "USAGE_DAYS"] as const).map<Row>((name) => [
    name,
    name === "RECEIPT_DAYS" ? "receiptDays" : "usageDays",
    "a whole number of days from 1 to 3650",
    [
      ["1", 1],
      ["3650", 3650],
    ],
    ["0", "3651", "30d", ...NO_NUMBERS],
  ]),
  [
    ...(["MEMORY_BUDGET", "memoryBudget"] as const),
    `a size of at least 1 MiB, ${SIZE}, or 1% to 100% of the memory of machine or container`,
    [
      ["1048576", 1_048_576],
      ["512MiB", 536_870_912],
      ["2GiB", 2_147_483_648],
      ["500MB", 500_000_000],
      ["1.5 gb", 1_500_000_000],
      ["1TiB", 1_099_511_627_776],
      ["1%", 10_000_000],
      ["12.5 %", 125_000_000],
      ["100%", 1_000_000_000],
    ],
    [
      "1048575",
      "512",
      "0%",
      "0.9%",
      "100.1%",
      "101%",
      "-5%",
      "40 percent",
      "512M",
      "2G",
      "1PiB",
      "MiB",
      "1..5GB",
    ],
  ],
  [
    ...(["WORKERS", "workers", "cores (one for each core) or a whole number from 1 to 256"] as const),
    [
      ["cores", 6],
      ["1", 1],
      ["256", 256],
    ],
    ["0", "257", "auto", ...NO_NUMBERS],
  ],
  [
    ...(["WORK_SECONDS", "workSeconds", "a whole number of seconds from 1 to 3600"] as const),
    [
      ["1", 1],
      ["3600", 3600],
    ],
    ["0", "3601", "30s", ...NO_NUMBERS],
  ],
  [
    ...(["DRAIN_SECONDS", "drainSeconds", "a whole number of seconds from 0 to 300"] as const),
    [
      ["0", 0],
      ["300", 300],
    ],
    ["301", "5s", ...NO_NUMBERS],
  ],
  [
    ...(["MAX_SECRET_BYTES", "maxSecretBytes", `a size of at least 1 byte, ${SIZE}`] as const),
    [
      ["1", 1],
      ["1B", 1],
      ["1KB", 1000],
      ["1kib", 1024],
      ["0.5 KiB", 512],
      ["10TB", 10_000_000_000_000],
      ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ],
    ["0", "0.9", "-1", "40%", "1e9", "1Gi", "9007199254740992", "9999TiB", "99999999999999999", ".5GB"],
  ],
  [
    ...(["LOG_LEVEL", "logLevel", "error, warn or info"] as const),
    [
      ["error", "error"],
      ["warn", "warn"],
      ["info", "info"],
    ],
    ["debug", "INFO", "0"],
  ],
  [
    ...(["METRICS_PORT", "metricsPort", "off or a whole number from 0 to 65535"] as const),
    [
      ["off", undefined],
      ["0", 0],
      ["9090", 9090],
      ["65535", 65535],
    ],
    ["65536", "on", "9090/metrics", ...NO_NUMBERS],
  ],
];

test("has a default for everything", () => {
  expect(read({})).toEqual(DEFAULTS);
});

test("has a row of this table for every key", () => {
  expect(ROWS.map(([, key]) => key).sort()).toEqual(Object.keys(DEFAULTS).sort());
});

describe.each(ROWS)("%s", (name, key, legal, good, bad) => {
  test.each(["", "  "])("takes its default for %j", (text) => {
    expect(read({ [name]: text })).toEqual(DEFAULTS);
  });

  test.each(good)("reads %j as %j", (text, value) => {
    expect(read({ [name]: text })[key]).toEqual(value);
  });

  test.each(bad)("refuses %j in a sentence with the legal values", (text) => {
    const isSecret = name.endsWith("_URL");
    const sentence = `${name}${isSecret ? "" : ` is ${JSON.stringify(text)} but`} must be ${legal}.`;
    expect(() => read({ [name]: text })).toThrow(new ConfigError(sentence));
  });

  test("stands in the help with its legal values", () => {
    expect(configHelp()).toContain(`  ${name}=`);
    expect(configHelp()).toContain(`      Must be ${legal}.\n`);
  });
});

test.each([
  [{ PORT: "8080" }, "http://127.0.0.1:8080"],
  [{ PORT: "80" }, "http://127.0.0.1"],
  [{ PORT: "0" }, "http://127.0.0.1:0"],
  [{ HOST: "::1" }, "http://[::1]:3000"],
  [{ HOST: "[::]", PORT: "1" }, "http://[::]:1"],
  [{ HOST: "Hush.internal" }, "http://hush.internal:3000"],
  [{ HOST: "::1", PUBLIC_URL: "https://hush.example" }, "https://hush.example"],
])("makes links for %j that begin with %s", (env, publicUrl) => {
  expect(read(env).publicUrl).toBe(publicUrl);
});

test("tells all that is wrong at once, a line each", () => {
  const env = { PORT: "x", HOST: "y z", REGISTRATION: "maybe", WORKERS: "3" };
  expect(() => read(env)).toThrow(
    new ConfigError(
      'PORT is "x" but must be a whole number from 0 to 65535.\n' +
        'HOST is "y z" but must be an IPv4 address, an IPv6 address or a host name, without a port.\n' +
        'REGISTRATION is "maybe" but must be open or closed.',
    ),
  );
});

test("cuts a long value and keeps a line break inside its quotes", () => {
  expect(() => read({ PORT: `1\n${"a".repeat(100)}` })).toThrow(
    `PORT is "1\\n${"a".repeat(62)}…" but must be`,
  );
});

test.each(["DATABASE_URL", "PUBLIC_URL"])("never quotes %s, which can hold a password", (name) => {
  expect(() => read({ [name]: "mysql://user:canary@db/hush" })).toThrow(/^(?!.*canary)/);
});

test("knows cores and memory of the machine or its container", () => {
  const config = readConfig({ MEMORY_BUDGET: "100%" });
  expect(config.workers).toBe(availableParallelism());
  expect(config.memoryBudget).toBeLessThanOrEqual(totalmem());
  expect(config.memoryBudget).toBeGreaterThan(1024 ** 2);
  expect(Number.isSafeInteger(config.memoryBudget)).toBe(true);
});

test("prints every default in the help as a text that reads as the default", () => {
  const env = Object.fromEntries(
    [...configHelp().matchAll(/^ {2}([A-Z_]+)=(.*)$/gm)].map(([, name, text]) => [name, text]),
  );
  expect(Object.keys(env)).toEqual(expect.arrayContaining(ROWS.map(([name]) => name)));
  expect(read(env)).toEqual(DEFAULTS);
});
