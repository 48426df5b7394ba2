import { digestText } from "../../tools/crypto/key-derivation.ts";
import { decodeBase64, encodeBase64Url } from "../../wire/base64.ts";
import { utf8 } from "../../wire/bytes.ts";
import type { FlowChecks, Services } from "../context.ts";
import { openFor, sealFor } from "../instance-key.ts";
import { isFirstUse } from "../policy/count.ts";
import { cookieNames, readCookie, writeCookie, type Cookie, type CookieSource } from "./cookies.ts";
import type { Factor } from "./start-session.ts";

/** A login that was sent to the provider and should come back in the same browser. */
export interface LoginFlow extends FlowChecks {
  /** The page to show after it. */
  readonly next: string;
  /** Whether the provider must ask for the credentials again. */
  readonly isFresh?: boolean | undefined;
  /** The account that the identity is for. */
  readonly tie?: FlowOwner | undefined;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** A member in a browser. */
export interface FlowOwner {
  readonly member: string;
  /** The session's id, which stays when a proof changes its value. */
  readonly session: string;
}

/** An identity that has come back and waits for its member's confirmation. */
export interface PendingTie {
  readonly owner: FlowOwner;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
}

type FlowServices = Pick<Services, "keys" | "publicUrl" | "now">;

/** How long a person may take at the provider, and then on the page that asks. */
export const FLOW_SECONDS = 600;
const COOKIE = "service_oidc_";
const FOLDER = "/api/account/oidc";
/** A browser finishes no more flows than these, and more cookies would soon exceed the size of a request's head. */
const MOST_FLOWS = 8;
/** Characters of a state's digest, in base64url: enough to tell the attempts of one browser apart. */
const ATTEMPT_LENGTH = 16;

/**
 * Set-Cookie headers that store a flow in the browser, one cookie per attempt, so that two windows do not disturb each
 * other.
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

/** Takes the flow of an attempt, which can be used once: undefined for none, an expired, used or foreign one. */
export async function useFlow(
  sent: CookieSource,
  state: string,
  services: FlowServices & Pick<Services, "db" | "rateKey">,
): Promise<LoginFlow | undefined> {
  const flow = await open<LoginFlow>(sent, { stage: "flow", attempt: attemptOf(state), services });
  if (!flow || flow.state !== state || !(await isFirst(`login flow ${state}`, services))) return undefined;
  return flow;
}

/** Stores an identity in the browser until its member confirms it. */
export function keepTie(tie: PendingTie, attempt: string, services: FlowServices): Promise<string> {
  return seal(tie, { stage: "tie", attempt, services });
}

/** Takes the waiting identity of an attempt, which can be used once. */
export async function useTie(
  sent: CookieSource,
  attempt: string,
  services: FlowServices & Pick<Services, "db" | "rateKey">,
): Promise<PendingTie | undefined> {
  const tie = await open<PendingTie>(sent, { stage: "tie", attempt, services });
  return tie && (await isFirst(`login tie ${attempt}`, services)) ? tie : undefined;
}

/** A Set-Cookie header that deletes an attempt from the browser. */
export function dropFlow(attempt: string, services: FlowServices): string {
  return cookieOf(attempt, { value: "", seconds: 0, services });
}

/** The public name of an attempt, which opens nothing. */
export function attemptOf(state: string): string {
  return encodeBase64Url(digestText(state)).slice(0, ATTEMPT_LENGTH);
}

interface FlowSeal {
  readonly stage: "flow" | "tie";
  readonly attempt: string;
  readonly services: FlowServices;
}

// Encrypted with a key of the installation, so that any instance can continue.
async function seal(content: object, { stage, attempt, services }: FlowSeal): Promise<string> {
  const text = utf8(JSON.stringify({ ...content, until: services.now() + FLOW_SECONDS }));
  const sealed = await sealFor(text, services.keys.loginFlow, stage + attempt);
  return cookieOf(attempt, { value: encodeBase64Url(sealed), seconds: FLOW_SECONDS, services });
}

async function open<Content>(
  sent: CookieSource,
  { stage, attempt, services }: FlowSeal,
): Promise<Content | undefined> {
  const value = readCookie(sent, cookieFor(attempt), services);
  if (value === undefined) return undefined;
  try {
    const text = await openFor(decodeBase64(value), services.keys.loginFlow, stage + attempt);
    if (!text) return undefined;
    // Only `seal` has the key.
    const content = JSON.parse(new TextDecoder().decode(text)) as Content & { until: number };
    return content.until > services.now() ? content : undefined;
  } catch {
    return undefined;
  }
}

// An attempt counts once, so recording what came back is of no use.
function isFirst(what: string, services: FlowServices & Pick<Services, "db" | "rateKey">): Promise<boolean> {
  return isFirstUse({ bucket: "loginFlow", what, seconds: FLOW_SECONDS }, services);
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

type Claims = Readonly<Record<string, unknown>>;

/** Which values of `amr` stand for knowledge, possession and biometrics (RFC 8176, 2). */
const KINDS: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
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
  }),
);

/**
 * How a provider's login counts: with one factor only where the provider says how the user logged in and names a single
 * one.
 */
export function factorOf({ amr }: Claims): Factor {
  // Some providers write a list of one as a text.
  const methods: readonly unknown[] =
    typeof amr === "string" ? amr.split(" ") : Array.isArray(amr) ? amr : [];
  if (methods.length === 0 || methods.includes("mfa")) return "provider";
  const kinds = methods.flatMap((method) => KINDS.get(method) ?? []);
  return new Set(kinds).size > 1 ? "provider" : "provider_one_factor";
}

/**
 * When somebody proved to the provider who they are, in unix seconds of this server's clock: a provider lets those in
 * without a question who have logged in before. Now, where it does not say.
 */
export function provedAtOf({ iat, auth_time: at }: Claims, now: number): number {
  if (typeof iat !== "number" || typeof at !== "number") return now;
  return Math.max(0, Math.floor(now - Math.max(0, iat - at)));
}
