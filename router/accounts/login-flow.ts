import { takeAllowance } from "../../db/allowance.ts";
import { decryptGcm, sealGcm } from "../../tools/crypto/aes-gcm.ts";
import { systemRandom } from "../../tools/crypto/base62.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import { decodeBase64, encodeBase64Url } from "../../wire/base64.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import type { FlowChecks, Services } from "../context.ts";
import { cookieNames, readCookie, writeCookie, type Cookie, type CookieSource } from "./cookies.ts";
import type { Factor } from "./start-session.ts";

/** A login that has gone to the provider and is to come back in the same browser. */
export interface LoginFlow extends FlowChecks {
  /** The page to show after it. */
  readonly next: string;
  /** Whether the provider has to ask who it is, also where it knows them. */
  readonly isFresh?: boolean | undefined;
  /** Whose account the identity is for. */
  readonly tie?: FlowOwner | undefined;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** A member in a browser. */
export interface FlowOwner {
  readonly member: string;
  /** The session's handle, which stays when a proof gives it another value. */
  readonly session: string;
}

/** An identity that has come back, and waits until its member says yes. */
export interface PendingTie {
  readonly owner: FlowOwner;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
}

type FlowServices = Pick<Services, "keys" | "publicUrl" | "now">;

/** So long a person may take at the provider, and then before the page that asks. */
export const FLOW_SECONDS = 600;
const COOKIE = "service_oidc_";
const FOLDER = "/api/account/oidc";
/** More in one browser are not finished any more, and their cookies would soon be longer than a head may be. */
const MOST_FLOWS = 8;
/** Of the digest of a state, in base64url: enough to tell the attempts of one browser apart. */
const ATTEMPT_LENGTH = 16;
const IV_BYTES = 12;

/**
 * Set-Cookie headers that make a browser keep a flow, in a cookie of its own for each attempt, so that two windows do not
 * disturb each other.
 */
export async function keepFlow(
  flow: Omit<LoginFlow, "startedAt">,
  { cookie }: Pick<CookieSource, "cookie">,
  services: FlowServices,
): Promise<string[]> {
  const whole: LoginFlow = { ...flow, startedAt: services.now() };
  const kept = await seal(whole, { stage: "flow", attempt: attemptOf(flow.state), services });
  const attempts = cookieNames(cookie ?? "", COOKIE, services).map((name) => name.slice(COOKIE.length));
  const old = attempts.slice(0, Math.max(attempts.length - MOST_FLOWS + 1, 0));
  return [...old.map((attempt) => dropFlow(attempt, services)), kept];
}

/**
 * The flow of an attempt, which is used up by that: undefined for none, an old one, one that came before, or one that is not
 * from here.
 */
export async function useFlow(
  { sent, state }: { sent: CookieSource; state: string },
  services: FlowServices & Pick<Services, "db" | "rateKey">,
): Promise<LoginFlow | undefined> {
  const flow = await open<LoginFlow>(sent, { stage: "flow", attempt: attemptOf(state), services });
  if (!flow || flow.state !== state || !(await isFirst(`login flow ${state}`, services))) return undefined;
  return flow;
}

/** Makes a browser keep an identity until its member says yes. */
export function keepTie(tie: PendingTie, attempt: string, services: FlowServices): Promise<string> {
  return seal(tie, { stage: "tie", attempt, services });
}

/** The identity of an attempt that waits, which is used up by that. */
export async function useTie(
  { sent, attempt }: { sent: CookieSource; attempt: string },
  services: FlowServices & Pick<Services, "db" | "rateKey">,
): Promise<PendingTie | undefined> {
  const tie = await open<PendingTie>(sent, { stage: "tie", attempt, services });
  return tie && (await isFirst(`login tie ${attempt}`, services)) ? tie : undefined;
}

/** Makes the browser forget an attempt: a Set-Cookie header. */
export function dropFlow(attempt: string, services: FlowServices): string {
  return cookieOf(attempt, { value: "", seconds: 0, services });
}

/** What an attempt is called: nothing that opens it. */
export function attemptOf(state: string): string {
  return encodeBase64Url(digestText(state)).slice(0, ATTEMPT_LENGTH);
}

interface FlowSeal {
  readonly stage: "flow" | "tie";
  readonly attempt: string;
  readonly services: FlowServices;
}

// Sealed under a key of the installation, so that any instance can go on.
async function seal(content: object, { stage, attempt, services }: FlowSeal): Promise<string> {
  const iv = systemRandom(new Uint8Array(IV_BYTES));
  const text = utf8(JSON.stringify({ ...content, until: services.now() + FLOW_SECONDS }));
  const sealed = await sealGcm(text, { key: keyOf(services), iv, additionalData: utf8(stage + attempt) });
  const value = encodeBase64Url(concatBytes(iv, sealed));
  return cookieOf(attempt, { value, seconds: FLOW_SECONDS, services });
}

async function open<Content>(
  sent: CookieSource,
  { stage, attempt, services }: FlowSeal,
): Promise<Content | undefined> {
  const value = readCookie(sent, cookieFor(attempt), services);
  if (value === undefined) return undefined;
  try {
    const bytes = decodeBase64(value);
    const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)];
    const additionalData = utf8(stage + attempt);
    const text = await decryptGcm(sealed, { key: keyOf(services), iv, additionalData });
    // Only `seal` has the key.
    const content = JSON.parse(new TextDecoder().decode(text)) as Content & { until: number };
    return content.until > services.now() ? content : undefined;
  } catch {
    return undefined;
  }
}

// Whoever has recorded what came back has nothing.
async function isFirst(
  what: string,
  services: FlowServices & Pick<Services, "db" | "rateKey">,
): Promise<boolean> {
  const [key, now] = [services.rateKey(what), services.now()];
  const window = { bucket: "loginFlow", key, limit: 1, windowSeconds: FLOW_SECONDS, now };
  return (await takeAllowance(services.db, window)).allowed;
}

function keyOf({ keys }: FlowServices) {
  return keys.loginFlow;
}

function cookieOf(
  attempt: string,
  { value, seconds, services }: { value: string; seconds: number; services: FlowServices },
): string {
  return writeCookie(cookieFor(attempt), { value, seconds, publicUrl: services.publicUrl });
}

function cookieFor(attempt: string): Cookie {
  return { name: COOKIE + attempt, folder: FOLDER };
}

/** What `amr` says that somebody knows, has and is (RFC 8176, 2). */
const KINDS: Readonly<Record<string, string>> = {
  pwd: "knows",
  pin: "knows",
  kba: "knows",
  otp: "has",
  sms: "has",
  tel: "has",
  mca: "has",
  swk: "has",
  hwk: "has",
  pop: "has",
  sc: "has",
  face: "is",
  fpt: "is",
  iris: "is",
  retina: "is",
  vbm: "is",
};

/** What a provider's login is worth: one that says how somebody has logged in, and names one factor, is that one. */
export function factorOf({ amr }: Readonly<Record<string, unknown>>): Factor {
  if (!Array.isArray(amr) || amr.length === 0 || amr.includes("mfa")) return "provider";
  const kinds = amr.flatMap((method) => (typeof method === "string" ? (KINDS[method] ?? []) : []));
  return new Set(kinds).size > 1 ? "provider" : "provider_one_factor";
}
