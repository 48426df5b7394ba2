import { TOOL_NAMES } from "../../wire/pages.ts";
import { LOG_LEVELS } from "../operations/log.ts";
import * as kinds from "./values.ts";
import { variable } from "./values.ts";
import * as own from "./instance-values.ts";
import { eventVariables, loginVariables } from "./login-variables.ts";

/** Everything that the server reads from the environment, by the headings of docs/operations.md. */
export function variablesOf(machine: kinds.Machine) {
  return {
    server: serverVariables(machine),
    limits: limitVariables(),
    instance: instanceVariables(),
    login: loginVariables(),
    events: eventVariables(),
  };
}

function serverVariables(machine: kinds.Machine) {
  return {
    PORT: variable(kinds.port, {
      fallback: "3000",
      meaning: "The port to listen on; 0 takes any free one.",
    }),
    HOST: variable(kinds.host, {
      fallback: "127.0.0.1",
      meaning: "The address to listen on; 0.0.0.0 or :: stands for all addresses of the machine.",
      more: "A container needs one of these two.",
    }),
    PUBLIC_URL: variable(kinds.publicUrl, {
      fallback: kinds.OWN_URL,
      meaning: "The base of the links; a path in it is the base path of everything.",
      more:
        "It is also the origin that is this service's own; the Host header of a request never matters. With `https:` " +
        "cookies are marked Secure and have a prefix that keeps neighboring hosts from setting them. See [under a path of another host](#under-a-path-of-another-host).",
      isSecret: true,
    }),
    DATABASE_URL: variable(kinds.databaseUrl, {
      fallback: "data/service.db",
      meaning: "Where everything is stored.",
      more: "As `postgres://user:password@host:5432/name`. Folder and file are made for the owner only.",
      isSecret: true,
      hasFile: true,
    }),
    MOVE_TO_DATABASE_URL: variable(own.orNone(kinds.databaseUrl), {
      fallback: "none",
      meaning: "Where `hushkit admin move` copies everything to; the server does not use it.",
      isSecret: true,
    }),
    INSTANCE_KEY: variable(own.instanceKey, {
      fallback: "none",
      meaning: "The key of the instance; without it the first start makes one in a file, instance.key.",
      more:
        "The same for all instances on one database. `openssl rand -base64 32` makes one. See " +
        "[the key of the instance](#the-key-of-the-instance).",
      isSecret: true,
      hasFile: true,
    }),
    INSTANCE_KEY_NEXT: variable(own.instanceKey, {
      fallback: "none",
      meaning: "The key that `hushkit admin rotate-key` puts in its place; the server does not use it.",
      isSecret: true,
    }),
    TRUST_PROXY: variable(kinds.trust, {
      fallback: "none",
      meaning: "The proxies whose X-Forwarded-For is believed.",
      more: "1 for one proxy in front.",
    }),
    REGISTRATION: variable(kinds.oneOf("open", "closed"), {
      fallback: "open",
      meaning: "Whether anyone may make an account.",
    }),
    ANONYMOUS: variable(kinds.oneOf("all", "secrets", "tools", "none"), {
      fallback: "all",
      meaning: "What callers without an account may start.",
    }),
    RECEIPT_DAYS: variable(kinds.days, {
      fallback: "30",
      meaning: "How long the server remembers how a secret ended.",
      more: "Its content is deleted when it ends.",
    }),
    USAGE_DAYS: variable(kinds.days, {
      fallback: "90",
      meaning: "How long the counts of tool calls are stored.",
    }),
    MEMORY_BUDGET: variable(kinds.memory(machine), {
      fallback: "40%",
      meaning: "The memory that all calls together may take; further calls wait or are refused.",
      more: "A refused call is answered 503.",
    }),
    WORKERS: variable(kinds.workers(machine), {
      fallback: "cores",
      meaning: "How many heavy jobs run side by side.",
      more: "Each runs in a process. Images have two processes more, and each kind has one more for a caller with nothing running.",
    }),
    WORK_SECONDS: variable(kinds.seconds, {
      fallback: "30",
      meaning: "The time one job may take.",
    }),
    DRAIN_SECONDS: variable(kinds.drainSeconds, {
      fallback: "5",
      meaning: "How long new calls are answered 503 after SIGTERM, before the port is closed.",
      more: "The time in which [a proxy moves away](#stopping-and-rolling-deploys); 0 with a single instance.",
    }),
    MAX_SECRET_BYTES: variable(kinds.sizeBytes, {
      fallback: "4GiB",
      meaning: "The size of all stored secrets together; past it new ones are refused.",
      more: "They are answered 503. A quarter of the size is kept for members.",
    }),
    LOG_LEVEL: variable(kinds.oneOf(...LOG_LEVELS), {
      fallback: "info",
      meaning:
        "What is logged: error logs faults, warn also security events, info also requests and everything else.",
      more: "See [logs](#logs).",
    }),
    METRICS_PORT: variable(kinds.metricsPort, {
      fallback: "off",
      meaning: "The port of the Prometheus metrics; 0 takes any free one.",
      more: "On the same `HOST`; see [numbers](#numbers).",
    }),
  };
}

function limitVariables() {
  const members = "The same for members; at least as much.";
  return {
    FILE_SIZE: variable(own.fileSize, {
      fallback: "25MiB",
      meaning:
        "The largest file that a tool takes; a call with several files may have twice as much together.",
    }),
    MEMBER_FILE_SIZE: variable(own.fileSize, { fallback: "100MiB", meaning: members }),
    SECRET_FILE_SIZE: variable(own.secretFileSize, {
      fallback: "25MiB",
      meaning: "The largest file that can be shared.",
    }),
    MEMBER_SECRET_FILE_SIZE: variable(own.secretFileSize, { fallback: "100MiB", meaning: members }),
    SECRET_CHARACTERS: variable(own.characters, {
      fallback: "50000",
      meaning: "The longest text that can be shared.",
    }),
    MEMBER_SECRET_CHARACTERS: variable(own.characters, { fallback: "500000", meaning: members }),
    LIFETIME: variable(own.lifetime, {
      fallback: "30d",
      meaning: "The longest lifetime of a secret or a request.",
    }),
    MEMBER_LIFETIME: variable(own.lifetime, { fallback: "90d", meaning: members }),
    MIN_LIFETIME: variable(own.lifetime, {
      fallback: "1m",
      meaning: "The shortest lifetime of a secret or a request, for everybody; at most LIFETIME.",
    }),
    DEFAULT_LIFETIME: variable(own.defaultLifetime, {
      fallback: "first",
      meaning: "The lifetime of a secret or a request whose sender chooses none; at most LIFETIME.",
    }),
    LIFETIMES: variable(own.lifetimes, {
      fallback: "any",
      meaning:
        "The lifetimes that senders choose from, the first by default; a single one is for all secrets and requests.",
      more:
        "Those longer than `LIFETIME` are for members. Pages offer no others, and any other `expires` is answered 400 " +
        "with these in `allowed`.",
    }),
    SECRETS_PER_MINUTE: variable(own.calls, {
      fallback: "10",
      meaning: "How many secrets and requests an address may make in a minute.",
    }),
    MEMBER_SECRETS_PER_MINUTE: variable(own.calls, {
      fallback: "60",
      meaning: "The same for an account; at least as many.",
    }),
    TOOL_CALLS: variable(own.calls, {
      fallback: "60",
      meaning: "How often an address may use the tools in 15 minutes.",
    }),
    MEMBER_TOOL_CALLS: variable(own.calls, {
      fallback: "600",
      meaning: "The same for an account; at least as often.",
    }),
    STORED_BYTES: variable(own.storedBytes, {
      fallback: "100MiB",
      meaning: "What an address may store in 24 hours; a secret counts 1,024 bytes at least.",
    }),
    MEMBER_STORED_BYTES: variable(own.storedBytes, {
      fallback: "1GiB",
      meaning:
        "What the unread secrets and open requests of an account may have together; each counts 1,024 bytes at least.",
    }),
    PASSPHRASE: variable(kinds.oneOf("optional", "required"), {
      fallback: "optional",
      meaning: "Whether every secret needs a passphrase.",
    }),
    TOOLS: variable(own.someOf(TOOL_NAMES), {
      fallback: "all",
      meaning: "The tools that this instance offers on its pages, in the document and in the API.",
    }),
  };
}

function instanceVariables() {
  return {
    INSTANCE_NAME: variable(own.line(64), {
      fallback: "Hushkit",
      meaning: "What the instance is called on its pages.",
    }),
    INSTANCE_LOGO: variable(own.path, {
      fallback: "none",
      meaning:
        "The path of an image that stands before the name, an SVG without scripts or a PNG of up to 64 KiB.",
    }),
    INSTANCE_NOTICE: variable(own.orNone(own.line(300)), {
      fallback: "none",
      meaning: "A line above the pages.",
    }),
    IMPRINT_URL: variable(own.webPage, {
      fallback: "none",
      meaning: "The page that says who runs the instance; all pages link to it.",
    }),
    PRIVACY_URL: variable(own.webPage, {
      fallback: "none",
      meaning: "The privacy notice of the instance; all pages link to it.",
    }),
    CONTACT: variable(own.contact, {
      fallback: "none",
      meaning: "The address for questions and reports; also in /.well-known/security.txt.",
    }),
    HSTS: variable(kinds.oneOf("host", "subdomains", "off"), {
      fallback: "host",
      meaning:
        "Which hosts browsers may reach by https only, for a year after a visit; where PUBLIC_URL is https.",
      more:
        "`subdomains` includes those below the host of `PUBLIC_URL`; set it where all of them, and the proxy that ends TLS, " +
        "have https.",
    }),
    INDEX: variable(kinds.oneOf("on", "off"), {
      fallback: "off",
      meaning: "Whether search engines may list the pages that everybody sees; links to secrets never.",
    }),
  };
}
