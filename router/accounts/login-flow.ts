import { decryptGcm, sealGcm } from "../../tools/crypto/aes-gcm.ts";
import { systemRandom } from "../../tools/crypto/base62.ts";
import { decodeBase64, encodeBase64Url } from "../../wire/base64.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import { basePathOf } from "../base-path.ts";
import type { Services } from "../context.ts";
import { readCookie, writeCookie } from "./session-cookie.ts";

/** A login that has gone to the provider and is to come back in the same browser. */
export interface LoginFlow {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
  /** The page to show after it. */
  readonly next: string;
  /** The member who ties the identity to an account, and the session of that. */
  readonly tie?: { readonly member: string; readonly session: string } | undefined;
  /** Unix seconds. */
  readonly expiresAt: number;
}

type FlowServices = Pick<Services, "rateKey" | "publicUrl" | "now">;

/** So long a person may take at the provider. */
const FLOW_SECONDS = 600;
const COOKIE = "service_oidc";
const IV_BYTES = 12;
const ADDITIONAL_DATA = utf8(COOKIE);

/** Makes a browser keep a flow, sealed under a key of the installation, so that any instance can go on: a Set-Cookie header. */
export async function keepFlow(flow: Omit<LoginFlow, "expiresAt">, services: FlowServices): Promise<string> {
  const iv = systemRandom(new Uint8Array(IV_BYTES));
  const text = utf8(JSON.stringify({ ...flow, expiresAt: services.now() + FLOW_SECONDS }));
  const sealed = await sealGcm(text, { key: keyOf(services), iv, additionalData: ADDITIONAL_DATA });
  return cookieOf(encodeBase64Url(concatBytes(iv, sealed)), services, FLOW_SECONDS);
}

/** The flow of a Cookie header; undefined for none, an old one, or one that is not from here. */
export async function readFlow(
  header: string | null,
  services: FlowServices,
): Promise<LoginFlow | undefined> {
  const value = readCookie(header ?? "", COOKIE);
  if (value === undefined) return undefined;
  try {
    const bytes = decodeBase64(value);
    const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)];
    const text = await decryptGcm(sealed, { key: keyOf(services), iv, additionalData: ADDITIONAL_DATA });
    // Only `keepFlow` has the key.
    const flow = JSON.parse(new TextDecoder().decode(text)) as LoginFlow;
    return flow.expiresAt > services.now() ? flow : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the browser forget it, since a flow comes back once: a Set-Cookie header. */
export function dropFlow(services: FlowServices): string {
  return cookieOf("", services, 0);
}

function keyOf({ rateKey }: FlowServices) {
  return rateKey("login flow");
}

function cookieOf(value: string, { publicUrl }: FlowServices, seconds: number): string {
  const path = `${basePathOf(publicUrl)}/api/account/oidc`;
  return writeCookie({ name: COOKIE, value, path, seconds, publicUrl });
}
