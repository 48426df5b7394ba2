import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEYS = { keys: [{ ...publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] };

type Claims = Readonly<Record<string, unknown>>;
type Answer = (response: ServerResponse) => void;

/** A provider that says what a test makes it say, right where nothing else is told. */
export interface HostileProvider {
  readonly issuer: string;
  /** Claims of the ID token in place of the right ones; undefined leaves one out. */
  claims: Claims;
  header: Claims;
  /** What it answers in place of the right thing, by path. */
  answers: Readonly<Record<string, Answer>>;
  /** The headers that came to a path, where it was asked for. */
  readonly asked: Record<string, IncomingHttpHeaders>;
  /** How often each path was asked for. */
  readonly counts: Record<string, number>;
  /** Added to the metadata, or left out by undefined. */
  metadata: Claims;
}

/** Starts one that ends with the test. */
export async function startHostile(): Promise<HostileProvider> {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    provider.asked[path] = request.headers;
    provider.counts[path] = (provider.counts[path] ?? 0) + 1;
    const answer = provider.answers[path] ?? right[path];
    request.resume().on("end", () => (answer ? answer(response) : response.writeHead(404).end()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: HostileProvider = {
    ...{ issuer, claims: {}, header: {}, answers: {}, asked: {}, counts: {}, metadata: {} },
  };
  const right: Readonly<Record<string, Answer>> = {
    "/.well-known/openid-configuration": (response) =>
      json({
        issuer,
        ...{ authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ userinfo_endpoint: `${issuer}/userinfo`, jwks_uri: `${issuer}/jwks` },
        ...provider.metadata,
      })(response),
    "/jwks": json(KEYS),
    "/token": (response) => json({ ...TOKENS, id_token: idToken(provider) })(response),
    "/userinfo": json({ sub: "h-1" }),
  };
  return provider;
}

const TOKENS = { access_token: "a", token_type: "Bearer", expires_in: 60 };

/** Answers with JSON. */
export function json(value: object, status = 200): Answer {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Answers with tokens among which the ID token is this text, or is missing. */
export function tokens(idToken?: string): Answer {
  return json({ ...TOKENS, ...(idToken !== undefined && { id_token: idToken }) });
}

function idToken({ issuer, claims, header }: HostileProvider): string {
  return signed({ ...timely(issuer), sub: "h-1", ...claims }, header);
}

/** A logout token that is right but for these claims, of which undefined leaves one out. */
export function logoutToken({ issuer }: HostileProvider, claims: Claims = {}, header: Claims = {}): string {
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  return signed({ ...timely(issuer), sub: "h-1", jti: crypto.randomUUID(), events, ...claims }, header);
}

function timely(issuer: string) {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer, aud: "hushkit", iat: now, exp: now + 300 };
}

function signed(claims: Claims, header: Claims): string {
  const parts = [{ alg: "RS256", ...header }, claims];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
}
