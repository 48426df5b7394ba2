import { writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { TOOL_NAMES } from "../../../wire/pages.ts";
import {
  ConfigError,
  configHelp,
  readConfig,
  settingsWithoutEffect,
} from "../../../adapters/config/config.ts";
import { limitsOf } from "../../../adapters/config/limits.ts";
import type { Config } from "../../../adapters/config/settings.ts";
import { processorMs } from "../../machine/processor.ts";

const machine = { memoryBytes: 1_000_000_000, cores: 6 };
const read = (env: Record<string, string | undefined>) => readConfig(env, machine);

const DEFAULTS: Config = {
  port: 3000,
  host: "127.0.0.1",
  publicUrl: "http://127.0.0.1:3000",
  databaseUrl: "data/service.db",
  moveToDatabaseUrl: undefined,
  instanceKey: undefined,
  instanceKeyNext: undefined,
  trustProxy: "none",
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
  fileSize: 26_214_400,
  memberFileSize: 104_857_600,
  secretFileSize: 26_214_400,
  memberSecretFileSize: 104_857_600,
  secretCharacters: 50_000,
  memberSecretCharacters: 500_000,
  lifetime: 2_592_000,
  memberLifetime: 7_776_000,
  minLifetime: 60,
  defaultLifetime: undefined,
  lifetimes: undefined,
  secretsPerMinute: 10,
  memberSecretsPerMinute: 60,
  toolCalls: 60,
  memberToolCalls: 600,
  storedBytes: 104_857_600,
  memberStoredBytes: 1_073_741_824,
  passphrase: "optional",
  tools: TOOL_NAMES,
  instanceName: "Hushkit",
  instanceLogo: undefined,
  instanceNotice: undefined,
  imprintUrl: undefined,
  privacyUrl: undefined,
  contact: undefined,
  index: "off",
  hsts: "host",
  passwords: "on",
  requireSecondFactor: "no",
  oidcIssuer: undefined,
  oidcClientId: undefined,
  oidcClientSecret: undefined,
  oidcName: "your organization",
  oidcScope: "openid profile email",
  oidcRequire: undefined,
  oidcAdmin: undefined,
  oidcMaxAge: 604_800,
  auditLog: "off",
  webhookUrl: undefined,
  webhookSecret: undefined,
  notifyHosts: undefined,
};

// Variable, key, the end of the sentence about a bad value, good texts with their values, bad texts
type Row = [string, keyof Config, string, [string, unknown][], string[]];

const SIZE = "in bytes or with KB, MB, GB, TB, KiB, MiB, GiB or TiB";
const CALLS = "calls from 1 to 100000";
const NO_NUMBERS = ["-1", "+1", "1.5", "1e3", "0x10", "1 2", "１", "NaN", "Infinity", "9999999999"];

const CLAIMS =
  "none, or claim=value, or several of them with commas between; a value with , or = in it stands in double quotes, " +
  'such as groups="cn=staff,ou=x"';
const WHSEC = `whsec_${"A".repeat(31)}`;
const twenty = Array.from({ length: 20 }, (_, i) => `${i + 1}m`);

const DATABASE =
  "the path of a SQLite file without quotes, ~, $NAME and %NAME%, which nothing replaces, or a postgres:// URL";

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
    ...(["DATABASE_URL", "databaseUrl"] as const),
    DATABASE,
    [
      ["/var/lib/hushkit/a b.db", "/var/lib/hushkit/a b.db"],
      ["C:\\data\\service.db", "C:\\data\\service.db"],
      [":memory:", ":memory:"],
      ["/var/100%/it's $5/~a.db", "/var/100%/it's $5/~a.db"],
      ["postgres://a:$b~@db/c", "postgres://a:$b~@db/c"],
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
      "postgres://db/a\nb",
      "a.db\nb.db",
      ...["~", "~/a.db", "$HOME/a.db", "/var/${DATA}/a.db", "$(pwd)/a.db", "%APPDATA%\\a.db"],
      ...["“/var/a.db”", "‘/var/a.db’", '"/var/a.db', "/var/a.db'", "«a.db»", "“postgres://db/a”"],
    ],
  ],
  [
    ...(["TRUST_PROXY", "trustProxy"] as const),
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
  ...sizeRows("FILE_SIZE", "fileSize", "1KiB to 500MiB", ["1KiB", 1024], ["1023", "501MiB", "524288001"]),
  ...sizeRows("MEMBER_FILE_SIZE", "memberFileSize", "1KiB to 500MiB", ["300MB", 300_000_000], ["1B", "1GiB"]),
  ...sizeRows("SECRET_FILE_SIZE", "secretFileSize", "1KiB to 2GiB", ["64 MiB", 67_108_864], ["0", "2049MiB"]),
  ...sizeRows(
    ...(["MEMBER_SECRET_FILE_SIZE", "memberSecretFileSize", "1KiB to 2GiB"] as const),
    ["1GiB", 1_073_741_824],
    ["2147483649", "2TiB"],
  ),
  ...sizeRows("STORED_BYTES", "storedBytes", "1MiB to 1TiB", ["1MiB", 1_048_576], ["1048575", "1025GiB"]),
  ...sizeRows("MEMBER_STORED_BYTES", "memberStoredBytes", "1MiB to 1TiB", ["1TiB", 1024 ** 4], ["2TiB"]),
  ...numberRows(
    "SECRET_CHARACTERS",
    "secretCharacters",
    "characters from 100 to 5000000",
    [100, 99, 5_000_001],
  ),
  ...numberRows(
    ...(["MEMBER_SECRET_CHARACTERS", "memberSecretCharacters", "characters from 100 to 5000000"] as const),
    [5_000_000, 99, 5_000_001],
  ),
  ...numberRows("SECRETS_PER_MINUTE", "secretsPerMinute", "calls from 1 to 100000", [1, 0, 100_001]),
  ...numberRows("MEMBER_SECRETS_PER_MINUTE", "memberSecretsPerMinute", CALLS, [100_000, 0, 100_001]),
  ...numberRows("TOOL_CALLS", "toolCalls", CALLS, [1, 0, 100_001]),
  ...numberRows("MEMBER_TOOL_CALLS", "memberToolCalls", CALLS, [100_000, 0, 100_001]),
  ...lifetimeRows("LIFETIME", "lifetime", ["24h", 86_400], ["90d", 7_776_000]),
  ...lifetimeRows("MEMBER_LIFETIME", "memberLifetime", ["3650d", 315_360_000]),
  ...lifetimeRows("MIN_LIFETIME", "minLifetime", ["1m", 60]),
  [
    ...(["DEFAULT_LIFETIME", "defaultLifetime"] as const),
    "first (of LIFETIMES; where that is any, the time nearest to 1d from MIN_LIFETIME to LIFETIME), or a time from 1m to 3650d, such as 30m, 12h or 7d",
    [
      ["first", undefined],
      ["1m", 60],
      ["60s", 60],
      ["7 d", 604_800],
    ],
    ["59s", "3651d", "second"],
  ],
  [
    ...(["LIFETIMES", "lifetimes"] as const),
    "any, or up to 20 times from 1m to 3650d with commas between, each once, such as 1h,1d,7d",
    [
      ["any", undefined],
      ["1m", [60]],
      ["1m, 1h,7d", [60, 3600, 604_800]],
      [twenty.join(), twenty.map((_, i) => (i + 1) * 60)],
    ],
    ["1h,", "1h,60m", "1h;1d", "59s,1h", "1h,3651d", "any,1h", [...twenty, "1h"].join()],
  ],
  [
    ...(["PASSPHRASE", "passphrase", "optional or required"] as const),
    [["required", "required"]],
    ["on", "Required", "yes"],
  ],
  [
    ...(["TOOLS", "tools", `all, or some of ${TOOL_NAMES.join(",")}`] as const),
    [
      ["all", TOOL_NAMES],
      ["password, pdf-merge", ["pdf-merge", "password"]],
    ],
    ["none", "pdf", "pdf-merge,", "password;pdf-merge"],
  ],
  [
    ...(["INSTANCE_NAME", "instanceName", "a line of up to 64 characters"] as const),
    [
      ["ACME Secrets", "ACME Secrets"],
      ["é".repeat(64), "é".repeat(64)],
    ],
    ["a".repeat(65), "a\nb"],
  ],
  [
    ...(["INSTANCE_LOGO", "instanceLogo", "none, or the path of a file"] as const),
    [
      ["none", undefined],
      ["/etc/logo.svg", "/etc/logo.svg"],
    ],
    ["a\0b"],
  ],
  [
    ...(["INSTANCE_NOTICE", "instanceNotice", "none, or a line of up to 300 characters"] as const),
    [["Down on Sunday <b>", "Down on Sunday <b>"]],
    ["a".repeat(301), "a\u2028b"],
  ],
  ...pageRows("IMPRINT_URL", "imprintUrl"),
  ...pageRows("PRIVACY_URL", "privacyUrl"),
  [
    ...(["CONTACT", "contact"] as const),
    "none, or a mail address, or an http:// or https:// URL without user name",
    [
      ["security@acme.example", "mailto:security@acme.example"],
      ["https://acme.example/contact", "https://acme.example/contact"],
    ],
    ["mailto:a@b.example", "a@b", "javascript:alert(1)", "a b@c.example", "https://a:b@c"],
  ],
  [...(["HSTS", "hsts", "host, subdomains or off"] as const), [["subdomains", "subdomains"]], ["on", "Host"]],
  [...(["INDEX", "index", "on or off"] as const), [["on", "on"]], ["yes", "On"]],
  [...(["PASSWORDS", "passwords", "on or off"] as const), [["off", "off"]], ["no", "On"]],
  [
    ...(["REQUIRE_SECOND_FACTOR", "requireSecondFactor", "no or members"] as const),
    [["members", "members"]],
    ["yes", "all"],
  ],
  [
    ...(["OIDC_ISSUER", "oidcIssuer"] as const),
    "none, or an https:// URL without query, or an http:// one of a loopback address",
    [
      ["https://id.acme.example/realms/acme", "https://id.acme.example/realms/acme"],
      ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
      ["http://localhost/", "http://localhost/"],
    ],
    [
      "http://id.acme.example",
      "id.acme.example",
      "https://id.acme.example/?a",
      "http://localhost.evil.example",
    ],
  ],
  [
    ...(["OIDC_CLIENT_ID", "oidcClientId", "none, or a line of up to 256 characters"] as const),
    [["hushkit", "hushkit"]],
    ["a".repeat(257)],
  ],
  [
    ...(["OIDC_CLIENT_SECRET", "oidcClientSecret", "none, or a line of up to 1024 characters"] as const),
    [["secret", "secret"]],
    ["a".repeat(1025)],
  ],
  [
    ...(["OIDC_NAME", "oidcName", "a line of up to 64 characters"] as const),
    [["ACME", "ACME"]],
    ["a".repeat(65)],
  ],
  [
    ...(["OIDC_SCOPE", "oidcScope", "a line of up to 256 characters"] as const),
    [["openid groups", "openid groups"]],
    ["a".repeat(257)],
  ],
  [
    ...(["OIDC_REQUIRE", "oidcRequire", CLAIMS] as const),
    [
      ["groups=staff", [{ claim: "groups", value: "staff" }]],
      [
        "groups=IT staff, https://acme.example/role=admin",
        [
          { claim: "groups", value: "IT staff" },
          { claim: "https://acme.example/role", value: "admin" },
        ],
      ],
      ["realm_access.roles=staff", [{ claim: "realm_access.roles", value: "staff" }]],
      [
        'groups = staff , team= "a, b"',
        [
          { claim: "groups", value: "staff" },
          { claim: "team", value: "a, b" },
        ],
      ],
      [
        'memberOf="cn=staff,ou=x\\, y" , a="say ""hi""",b=c',
        [
          { claim: "memberOf", value: "cn=staff,ou=x\\, y" },
          { claim: "a", value: 'say "hi"' },
          { claim: "b", value: "c" },
        ],
      ],
    ],
    [
      ...["a=cn=staff,ou=x", 'a="b', 'a="b"c', 'a="b""', 'a=""', 'a=b"c', 'a="b",', "a..b=c", ".a=b", "a.=b"],
      ...["groups", "=staff", "groups=", "groups=staff,", "groups==staff"],
    ],
  ],
  [
    ...(["OIDC_ADMIN", "oidcAdmin", CLAIMS] as const),
    [["groups=admins", [{ claim: "groups", value: "admins" }]]],
    ["groups", "=admins", "groups=admins,"],
  ],
  ...lifetimeRows("OIDC_MAX_AGE", "oidcMaxAge", ["1d", 86_400]),
  [
    ...(["AUDIT_LOG", "auditLog", "off, stdout or the path of a file"] as const),
    [
      ["stdout", "stdout"],
      ["/var/log/hushkit/audit.log", { path: "/var/log/hushkit/audit.log" }],
      ["./on", { path: "./on" }],
    ],
    ["on", "OFF", "Stdout", "stderr", "true", "1", "none", "-", "a\0b"],
  ],
  [
    ...(["WEBHOOK_URL", "webhookUrl"] as const),
    "none, or an https:// URL without user name, or an http:// one of a loopback address",
    [
      ["https://events.acme.example/in?key=1", "https://events.acme.example/in?key=1"],
      ["HTTPS://events.acme.example", "https://events.acme.example/"],
      ["http://127.0.0.1:4000/in?key=1", "http://127.0.0.1:4000/in?key=1"],
      ["http://[::1]:4000", "http://[::1]:4000/"],
      ["http://localhost", "http://localhost/"],
    ],
    [
      ...["events.acme.example", "ftp://a", "https://a:b@c", "http://events.acme.example"],
      ...["http://10.0.0.1:4000", "http://localhost.acme.example", "http://a:b@127.0.0.1"],
    ],
  ],
  [
    ...(["NOTIFY_HOSTS", "notifyHosts"] as const),
    "none, or up to 50 hosts with commas between, such as ntfy.sh, ntfy.example:8443 or *.logic.azure.com, and for " +
      "private ones their addresses or CIDR ranges, such as 10.0.0.5 or 10.0.0.0/8",
    [
      [
        "ntfy.sh, *.Logic.azure.com:8443,10.0.0.0/8",
        {
          names: ["ntfy.sh", "*.logic.azure.com:8443", "10.0.0.0/8"],
          hosts: [
            { name: "ntfy.sh", port: undefined },
            { name: "*.logic.azure.com", port: "8443" },
          ],
          ranges: ["10.0.0.0/8"],
        },
      ],
      [
        "[::1]:4000,10.0.0.5",
        {
          names: ["[::1]:4000", "10.0.0.5"],
          hosts: [
            { name: "::1", port: "4000" },
            { name: "10.0.0.5", port: undefined },
          ],
          ranges: ["::1", "10.0.0.5"],
        },
      ],
    ],
    [
      ...["https://ntfy.sh", "ntfy.sh/topic", "*", "*.com", "a*.example", "ntfy.sh:0", "10.0.0.0/33"],
      ...["ntfy.sh,", "1.2.3", "ann@ntfy.sh", Array.from({ length: 51 }, (_, at) => `a${at}.example`).join()],
    ],
  ],
  [
    ...(["WEBHOOK_SECRET", "webhookSecret"] as const),
    "none, or whsec_ and 24 to 64 bytes in base64, or two of them with a comma between",
    [
      [`whsec_${"A".repeat(32)}`, [`whsec_${"A".repeat(32)}`]],
      [`${WHSEC}B, ${WHSEC}A`, [`${WHSEC}B`, `${WHSEC}A`]],
    ],
    [
      `${WHSEC}A,${WHSEC}B,${WHSEC}C`,
      `${WHSEC}A,`,
      "secret",
      `whsec_${"A".repeat(31)}`,
      // The last letter holds no byte.
      `whsec_${"A".repeat(33)}`,
      `whsec_${"A".repeat(89)}`,
      "A".repeat(32),
    ],
  ],
  [
    ...(["MOVE_TO_DATABASE_URL", "moveToDatabaseUrl"] as const),
    `none, or ${DATABASE}`,
    [
      ["none", undefined],
      ["/var/lib/hushkit/b.db", "/var/lib/hushkit/b.db"],
      ["postgres://user:word@db:5432/hush", "postgres://user:word@db:5432/hush"],
    ],
    ["mysql://db/hush", "postgres://db:port/hush"],
  ],
  ...keyRows("INSTANCE_KEY", "instanceKey"),
  ...keyRows("INSTANCE_KEY_NEXT", "instanceKeyNext"),
];

function keyRows(name: string, key: keyof Config): Row[] {
  const bytes = new Uint8Array(32).fill(0xfb);
  const [base64, base64Url] = (["base64", "base64url"] as const).map((kind) =>
    Buffer.from(bytes).toString(kind),
  );
  const bad = [
    "key",
    "A".repeat(42),
    "A".repeat(44),
    `${"A".repeat(44)}=`,
    "ab".repeat(32),
    `${base64} ${base64}`,
  ];
  const good: [string, unknown][] = [base64!, base64!.replace("=", ""), base64Url!].map((text) => [
    text,
    bytes,
  ]);
  return [[name, key, "none, or 32 bytes in base64 or base64url", good, bad]];
}

function sizeRows(
  name: string,
  key: keyof Config,
  range: string,
  good: [string, number],
  bad: string[],
): Row[] {
  return [[name, key, `a size from ${range}, ${SIZE}`, [good], [...bad, "40%", "1e6"]]];
}

function numberRows(name: string, key: keyof Config, unit: string, [good, ...bad]: number[]): Row[] {
  const legal = `a whole number of ${unit}`;
  return [[name, key, legal, [[String(good), good]], [...bad.map(String), ...NO_NUMBERS]]];
}

function lifetimeRows(name: string, key: keyof Config, ...good: [string, number][]): Row[] {
  const legal = "a time from 1m to 3650d, such as 30m, 12h or 7d";
  return [[name, key, legal, good, ["59s", "3651d", "1w", "60", "1.5h", "-1d", "1D"]]];
}

function pageRows(name: string, key: keyof Config): Row[] {
  const good: [string, unknown][] = [
    ["none", undefined],
    ["https://acme.example/imprint?lang=de#top", "https://acme.example/imprint?lang=de#top"],
  ];
  const legal = "none, or an http:// or https:// URL without user name";
  return [
    [name, key, legal, good, ["/imprint", "ftp://a", "javascript:alert(1)", "https://a b", "https://u@a"]],
  ];
}

const ISSUER = { OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" };

/** So that no setting contradicts another. */
const WIDE = {
  ...{ MEMBER_SECRET_CHARACTERS: "5000000" },
  ...{ MEMBER_LIFETIME: "3650d", LIFETIME: "365d", DEFAULT_LIFETIME: "1m", MEMBER_STORED_BYTES: "1TiB" },
  WEBHOOK_SECRET: `whsec_${"A".repeat(32)}`,
  ...ISSUER,
  ...{ MEMORY_BUDGET: "600MiB", SECRETS_PER_MINUTE: "1", TOOL_CALLS: "1" },
};

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
    expect(read({ ...WIDE, [name]: text })[key]).toEqual(value);
  });

  test.each(bad)("refuses %j in a sentence with the legal values", (text) => {
    const isSecret = [
      "DATABASE_URL",
      "MOVE_TO_DATABASE_URL",
      "INSTANCE_KEY",
      "INSTANCE_KEY_NEXT",
      "PUBLIC_URL",
      "OIDC_CLIENT_SECRET",
      "WEBHOOK_URL",
      "WEBHOOK_SECRET",
    ].includes(name);
    const quoted = JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
    const sentence = `${name}${isSecret ? "" : ` is ${quoted} but`} must be ${legal}.`;
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

const KEY = Buffer.alloc(32, 7).toString("base64");
const HOOK = `whsec_${KEY}`;

/** The path of a new file. */
function fileOf(text: string): string {
  const path = join(makeTempFolder(), "value");
  writeFileSync(path, text);
  return path;
}

describe.each([
  ["DATABASE_URL", "databaseUrl", "postgres://ann:word@db/hush", "mysql://canary"],
  ["INSTANCE_KEY", "instanceKey", KEY, `canary${KEY}`],
  ["OIDC_CLIENT_SECRET", "oidcClientSecret", "a word", "canary\nb"],
  ["WEBHOOK_SECRET", "webhookSecret", HOOK, "whsec_canary"],
] as const)("%s", (name, key, text, bad) => {
  const fromFile = `${name}_FILE`;

  test.each([
    ["", ""],
    ["", "\n"],
    ["\uFEFF", "\r\n"],
  ])("is read from a file as from the environment, between %j and %j", (before, after) => {
    const expected = read({ [name]: text })[key];
    expect(expected).toBeDefined();
    expect(read({ [name]: "", [fromFile]: ` ${fileOf(before + text + after)} ` })[key]).toEqual(expected);
    expect(read({ [name]: text, [fromFile]: " " })[key]).toEqual(expected);
  });

  test("is given once, and its file has one", () => {
    const problem = (env: Record<string, string>) => {
      try {
        return String(read(env)[key]);
      } catch (error) {
        return error instanceof ConfigError ? error.message : "";
      }
    };
    const file = (path: string) => problem({ [fromFile]: path });
    const both = { [name]: text, [fromFile]: fileOf(text) };
    expect(problem(both)).toBe(`${name} and ${fromFile} must not both be set.`);
    expect(file("/nowhere/canary")).toBe(`${fromFile} cannot be read (ENOENT).`);
    expect(file(makeTempFolder())).toBe(`${fromFile} cannot be read (EISDIR).`);
    expect(file(fileOf("\n"))).toBe(`${fromFile} names an empty file.`);
    expect(file(fileOf(bad))).toMatch(new RegExp(`^The content of ${fromFile} must be (?!.*canary).*\\.$`));
  });

  test("has its file in the help", () => {
    expect(configHelp()).toContain(`      ${fromFile} names a file with it instead.\n`);
  });
});

test("no other variable is read from a file, and each that is wrong is told", () => {
  expect(read({ PUBLIC_URL_FILE: "/nowhere", MOVE_TO_DATABASE_URL_FILE: "/nowhere" })).toEqual(DEFAULTS);
  expect(() => read({ PORT: "x", INSTANCE_KEY_FILE: "/nowhere", WEBHOOK_SECRET_FILE: "/nowhere" })).toThrow(
    new ConfigError(
      'PORT is "x" but must be a whole number from 0 to 65535.\nINSTANCE_KEY_FILE cannot be read (ENOENT).\n' +
        "WEBHOOK_SECRET_FILE cannot be read (ENOENT).",
    ),
  );
});

test("no value stands in quotes, whichever setting and wherever it is from", () => {
  const names = ROWS.map(([name]) => name);
  for (const name of names)
    for (const quote of ["'", '"'])
      expect(() => read({ [name]: ` ${quote}canary${quote} ` })).toThrow(
        new ConfigError(`${name} must not have quotes around its value.`),
      );
  const file = fileOf(`"${HOOK}"\n`);
  expect(() => read({ WEBHOOK_SECRET_FILE: file })).toThrow(
    new ConfigError("The content of WEBHOOK_SECRET_FILE must not have quotes around its value."),
  );
  expect(() => read({ WEBHOOK_SECRET_FILE: `"${file}"` })).toThrow(
    new ConfigError("WEBHOOK_SECRET_FILE must not have quotes around its value."),
  );
  expect(read({ INSTANCE_NAME: `The "Vault"` }).instanceName).toBe(`The "Vault"`);
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

test.each([
  [
    { FILE_SIZE: "101MiB" },
    "MEMBER_FILE_SIZE is 104857600 but must be at least FILE_SIZE, which is 105906176.",
  ],
  [
    { MEMBER_SECRET_CHARACTERS: "100" },
    "MEMBER_SECRET_CHARACTERS is 100 but must be at least SECRET_CHARACTERS, which is 50000.",
  ],
  [{ LIFETIME: "91d" }, "MEMBER_LIFETIME is 7776000 but must be at least LIFETIME, which is 7862400."],
  [{ TOOL_CALLS: "601" }, "MEMBER_TOOL_CALLS is 600 but must be at least TOOL_CALLS, which is 601."],
  [
    { MEMBER_FILE_SIZE: "500MiB" },
    "MEMBER_FILE_SIZE is 524288000 but must be at most MEMORY_BUDGET, which is 400000000.",
  ],
  [
    { MEMBER_SECRET_FILE_SIZE: "2GiB" },
    "MEMBER_SECRET_FILE_SIZE is 2147483648 but must be at most MEMBER_STORED_BYTES, which is 1073741824, and " +
      "MAX_SECRET_BYTES, which is 4294967296.",
  ],
  [{ METRICS_PORT: "3000" }, "METRICS_PORT is 3000 but must be another port than PORT."],
  [{ PASSWORDS: "off" }, "PASSWORDS is off but must be on without OIDC_ISSUER."],
  [
    { OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "a" },
    "OIDC_CLIENT_SECRET must be set with OIDC_ISSUER.",
  ],
  [
    { OIDC_ISSUER: "https://i", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b", OIDC_SCOPE: "email" },
    "OIDC_SCOPE must have openid in it.",
  ],
  [
    { LIFETIME: "1h", MIN_LIFETIME: "2h" },
    "MIN_LIFETIME is 7200 but must be at most LIFETIME, which is 3600 seconds.",
  ],
  [
    { MIN_LIFETIME: "2d", DEFAULT_LIFETIME: "1d" },
    "DEFAULT_LIFETIME is 86400 but must be at least MIN_LIFETIME, which is 172800 seconds.",
  ],
  [
    { LIFETIMES: "1h,1m,91d", MIN_LIFETIME: "2m" },
    "LIFETIMES has 60 but each must be from MIN_LIFETIME, which is 120, to MEMBER_LIFETIME, which is 7776000 seconds.\n" +
      "LIFETIMES has 7862400 but each must be from MIN_LIFETIME, which is 120, to MEMBER_LIFETIME, which is 7776000 seconds.",
  ],
  [
    { LIFETIMES: "60d,1h" },
    "LIFETIMES begins with 5184000, which is the default, but that must be at most LIFETIME, which is 2592000 seconds.",
  ],
  [
    { LIFETIMES: "1h,1d", DEFAULT_LIFETIME: "1d" },
    "DEFAULT_LIFETIME is 86400 but must be the first of LIFETIMES, which is 3600 seconds.",
  ],
  [{ OIDC_REQUIRE: "groups=staff" }, "OIDC_REQUIRE needs OIDC_ISSUER: without it no rule ever holds."],
  [
    { LIFETIME: "1h", DEFAULT_LIFETIME: "1d" },
    "DEFAULT_LIFETIME is 86400 but must be at most LIFETIME, which is 3600 seconds.",
  ],
])("refuses %j, which contradicts itself or the machine", (env, sentence) => {
  expect(() => read(env)).toThrow(new ConfigError(sentence));
});

test.each([
  [{ LIFETIME: "1h" }, 3_600],
  [{ MIN_LIFETIME: "2d" }, 172_800],
  [{ LIFETIME: "7d" }, 86_400],
  [{ LIFETIME: "7d", DEFAULT_LIFETIME: "2h" }, 7_200],
])("%j leaves to a sender who names no lifetime the nearest to a day: %i s", (env, seconds) => {
  expect(limitsOf(read(env)).defaultSeconds).toBe(seconds);
});

test.each([
  { FILE_SIZE: "100MiB" },
  { LIFETIME: "90d" },
  { MEMBER_FILE_SIZE: "400000000" },
  { LIFETIME: "1d" },
  { MIN_LIFETIME: "1d" },
  { LIFETIMES: "1h", LIFETIME: "1h", MEMBER_LIFETIME: "1h", MIN_LIFETIME: "1h", DEFAULT_LIFETIME: "1h" },
  { LIFETIMES: "30d,90d,1m" },
  { PORT: "0", METRICS_PORT: "0" },
  { ...ISSUER, OIDC_REQUIRE: "iss=https://id.example,email_verified=true,address.country=DE,sub=a" },
])("takes %j, at the edge", (env) => {
  expect(() => read(env)).not.toThrow();
});

test.each([
  ["iss=https://other.example", "iss is always OIDC_ISSUER, which is https://id.example"],
  ["nonce=a", "nonce is another one at each login"],
  ["email_verified=yes", "email_verified is true or false"],
  ["address=Berlin", "address is an object; name one of its members, such as address.country"],
])("refuses the rule %s, which holds for nobody", (rule, why) => {
  expect(() => read({ ...ISSUER, OIDC_ADMIN: `groups=a,${rule}` })).toThrow(
    new ConfigError(`OIDC_ADMIN has ${rule}, which never holds: ${why}.`),
  );
});

test.each([
  ["TRUST_PROXI", "1", "TRUST_PROXI is not read; perhaps TRUST_PROXY is meant."],
  ["public_url", "https://h", "public_url is not read; perhaps PUBLIC_URL is meant."],
  ["MEMBER_FILE_SZIE", "1", "MEMBER_FILE_SZIE is not read; perhaps MEMBER_FILE_SIZE is meant."],
  ["PUBLIC_URL_FILE", "/x", "PUBLIC_URL_FILE is not read; PUBLIC_URL is read from no file."],
  ["OIDC_CLIENT_SECRET_FILE", "/x", "OIDC_CLIENT_SECRET_FILE has no effect without OIDC_ISSUER."],
  ["WEBHOOK_SECRET", "canary", "WEBHOOK_SECRET has no effect without WEBHOOK_URL."],
])("%s has no effect, and a sentence says so without its value", (name, value, sentence) => {
  expect(settingsWithoutEffect({ [name]: value })).toEqual([sentence]);
  expect(settingsWithoutEffect({ [name]: " " })).toEqual([]);
});

test("names of other programs are no settings, and neither is one that is right besides", () => {
  const others = {
    HOME: "/",
    HOSTNAME: "h",
    PATH: "/",

    PORTS: "1",
    constructor: "x",
    LANG: "C",
  };
  expect(settingsWithoutEffect(others)).toEqual([]);
  expect(settingsWithoutEffect({ TRUST_PROXI: "1", TRUST_PROXY: "1", DATABASE_URL_FILE: "/x" })).toEqual([]);
  const oidc = { OIDC_ISSUER: "https://i", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET_FILE: "/x" };
  expect(settingsWithoutEffect(oidc)).toEqual([]);
});

test("the names that Kubernetes sets for two thousand services are looked at within a second", async () => {
  const ends = [
    "SERVICE_HOST",
    "SERVICE_PORT",
    "PORT",
    "PORT_80_TCP",
    "PORT_80_TCP_PROTO",
    "PORT_80_TCP_PORT",
  ];
  const names = Array.from({ length: 2_000 }, (_, i) => ends.map((end) => `MY_BACKEND_${i}_${end}`)).flat();
  const env = Object.fromEntries(names.map((name) => [name, "x"]));
  let told: string[] = [];
  const look = () => (told = settingsWithoutEffect({ ...env, TRUST_PROXI: "1" }));
  expect(await processorMs(look)).toBeLessThan(1_000);
  expect(told).toEqual(["TRUST_PROXI is not read; perhaps TRUST_PROXY is meant."]);
});
