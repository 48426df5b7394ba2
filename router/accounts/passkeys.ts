import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  usePasskey,
  type Passkey,
} from "../../db/accounts/passkeys.ts";
import { systemRandom } from "../../tools/crypto/base62.ts";
import { equalBytes } from "../../tools/crypto/equal-bytes.ts";
import { decodeBase64, encodeBase64Url } from "../../wire/base64.ts";
import { utf8 } from "../../wire/bytes.ts";
import type { MemberCaller, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { MAX_PASSKEYS } from "../limits.ts";
import { noteTried } from "../policy/acts.ts";
import { isFirstUse } from "../policy/count.ts";

const TIMEOUT_SECONDS = 300;
const RANDOM_BYTES = 16;
const TIME_BYTES = 4;
const MAC_BYTES = 16;
/** WebAuthn level 3, 5.8.4 has six. */
const MAX_TRANSPORTS = 10;

/** ECDSA with P-256, Ed25519, RSA (RFC 9053): the algorithms of authenticators. */
const ALGORITHMS = [-7, -8, -257];

/** Whether browsers support passkeys at this instance's address: it needs https and a host name. */
export function hasPasskeys({ publicUrl, embedded }: Pick<Services, "publicUrl" | "embedded">): boolean {
  if (embedded) return false;
  const { protocol, hostname } = new URL(publicUrl);
  const isName = /[a-z]/i.test(hostname) && !hostname.startsWith("[");
  return isName && (protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost"));
}

/** The options for a browser to create a passkey. */
export async function passkeyCreation({ memberId, memberName }: MemberCaller, services: Services) {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const own = await listPasskeys(services.db, memberId);
  return generateRegistrationOptions({
    rpName: services.instance.name,
    rpID: relyingParty(services).id,
    userName: memberName,
    userDisplayName: memberName,
    userID: utf8(memberId),
    challenge: makeChallenge(`create ${memberId}`, services),
    attestationType: "none",
    excludeCredentials: own.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: TIMEOUT_SECONDS * 1000,
  });
}

/** Stores the passkey that a browser has created. @throws ApiError passkey_wrong, too_many_passkeys */
export async function storePasskey(
  { memberId }: MemberCaller,
  { name, response }: { name: string; response: object },
  services: Services,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { id: rpId, origin } = relyingParty(services);
  const verified = await verifyRegistrationResponse({
    // Sent by a browser; the library validates it.
    response: response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => useChallenge(challenge, `create ${memberId}`, services),
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse);
  if (!verified.verified) throw passkeyWrong();
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
  const row = {
    id,
    member: memberId,
    name,
    counter,
    createdAt: services.now(),
    publicKey: new Uint8Array(publicKey),
    transports: transportsOf(transports),
  };
  if (await insertPasskey(services.db, { ...row, ceiling: MAX_PASSKEYS }))
    return { ...row, lastUsedAt: null };
  if ((await listPasskeys(services.db, memberId)).length < MAX_PASSKEYS) throw passkeyWrong();
  throw new ApiError("too_many_passkeys", `A member has at most ${MAX_PASSKEYS} passkeys; delete one first`, {
    limit: "passkeys",
    value: MAX_PASSKEYS,
    unit: "passkeys",
  });
}

/** The options for a browser to ask for any passkey of this instance. */
export async function passkeyRequest(services: Services) {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return generateAuthenticationOptions({
    rpID: relyingParty(services).id,
    challenge: makeChallenge("login", services),
    userVerification: "required",
    timeout: TIMEOUT_SECONDS * 1000,
  });
}

/** The member whose passkey has signed the challenge. @throws ApiError passkey_wrong */
export async function memberOfPasskey(response: { id: string }, services: Services): Promise<string> {
  const { id } = response;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const passkey = await findPasskey(services.db, id);
  noteTried(passkey?.member);
  if (!passkey || !isOwn(response, passkey.member)) throw passkeyWrong();
  const { id: rpId, origin } = relyingParty(services);
  const { publicKey, counter, member } = passkey;
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => useChallenge(challenge, "login", services),
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: { id, publicKey, counter },
  }).catch(refuse);
  if (!verified.verified) throw passkeyWrong();
  const { newCounter } = verified.authenticationInfo;
  if (!(await usePasskey(services.db, { id, counter: newCounter, now: services.now() })))
    throw passkeyWrong();
  return member;
}

// The library hands on what was sent in their place.
function transportsOf(given: unknown): string[] {
  const all: unknown[] = Array.isArray(given) ? given : [];
  const texts = all.filter((each) => typeof each === "string" && /^[a-z-]{1,20}$/.test(each));
  return [...new Set(texts as string[])].slice(0, MAX_TRANSPORTS);
}

// Whether the passkey's user handle is the member's (WebAuthn level 3, 7.2, step 6).
function isOwn(given: object, member: string): boolean {
  const { response } = given as Partial<AuthenticationResponseJSON>;
  return response?.userHandle === encodeBase64Url(utf8(member));
}

function relyingParty({ publicUrl }: Services): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

// A random value, a time and a MAC over both, so that no instance has to remember the challenges of others.
function makeChallenge(purpose: string, services: Services): Uint8Array<ArrayBuffer> {
  const challenge = new Uint8Array(RANDOM_BYTES + TIME_BYTES + MAC_BYTES);
  challenge.set(systemRandom(new Uint8Array(RANDOM_BYTES)));
  new DataView(challenge.buffer).setUint32(RANDOM_BYTES, services.now() + TIMEOUT_SECONDS);
  challenge.set(macOf(challenge, purpose, services), RANDOM_BYTES + TIME_BYTES);
  return challenge;
}

// A challenge counts once, so recording an authenticator's answer is of no use.
async function useChallenge(text: string, purpose: string, services: Services): Promise<boolean> {
  const challenge = decodeBase64(text);
  if (challenge.length !== RANDOM_BYTES + TIME_BYTES + MAC_BYTES) return false;
  const mac = macOf(challenge, purpose, services);
  const isOurs = equalBytes(mac, challenge.subarray(RANDOM_BYTES + TIME_BYTES));
  if (!isOurs || new DataView(challenge.buffer).getUint32(RANDOM_BYTES) <= services.now()) return false;
  const use = { bucket: "passkeyChallenge", what: `passkey challenge ${text}`, seconds: TIMEOUT_SECONDS };
  return isFirstUse(use, services);
}

function macOf(challenge: Uint8Array, purpose: string, services: Services): Uint8Array {
  const signed = challenge.subarray(0, RANDOM_BYTES + TIME_BYTES);
  return services.keys.challenge(`${purpose} ${signed.join()}`).subarray(0, MAC_BYTES);
}

// The library's message says what is wrong with an answer, which only an attacker would need.
function refuse(error: unknown): never {
  throw error instanceof ApiError ? error : passkeyWrong();
}

/** Unknown, of another instance, too late, repeated, or not the one asked for. */
function passkeyWrong(): ApiError {
  return new ApiError("passkey_wrong", "This passkey does not open an account here; ask for it again");
}
