import { computed, signal } from "@preact/signals";
import type { Client } from "../../client/client.ts";
import { MIN_SECRET_SECONDS, type Lifetimes, IMAGE_PIXELS } from "../../wire/limits.ts";
import { instance } from "../app/instance.ts";
import {
  hasMember,
  isOwnerUnknown,
  memberName,
  noteMember,
  onOtherTab,
  type MemberName,
} from "../app/owner.ts";

type SecretLimits = ReturnType<typeof anonymousLimits>;

/** A member's limits, once the server has sent them; `/api/tools` sends those of its caller. */
const memberLimits = signal<SecretLimits | undefined>(undefined);

/** The limits of the person at this browser; anonymous ones until the server has said more. */
export const secretLimits = computed<SecretLimits>(() => memberLimits.value ?? anonymousLimits());

/** The longest text in characters, the lifetimes, the largest file, and whether there are hooks that are told. */
function anonymousLimits() {
  const { secretLength, secretFileSize, ...expires } = instance.value.limits;
  const lifetimes: Lifetimes = {
    minimum: expires.secretExpiresMinimum,
    maximum: expires.secretExpires,
    offered: expires.secretExpiresAllowed ?? undefined,
  };
  return { characters: secretLength, lifetimes, fileBytes: secretFileSize, isMember: false, hasHooks: false };
}

/** Changes with what is stored, so that everything drawn from it is drawn again, even after a login over the page. */
const remembered = signal(0);

/** Whether this instance reserves this for members (ANONYMOUS), and nobody is logged in in this browser. */
export function isForMembers(what: "secrets" | "tools"): boolean {
  const { anonymous } = instance.value;
  if (anonymous === "all" || anonymous === what) return false;
  return !secretLimits.value.isMember && !mayBeMember();
}

/** Loads a member's limits where somebody has logged in with this browser. Nobody else causes a request. */
export async function loadSecretLimits(): Promise<void> {
  if (!mayBeMember()) return;
  // The typed client is a third of what the first page loads.
  const { server } = await import("./server.ts");
  const { caller, limits } = await server.tools.catalogue.query({});
  const isMember = caller.tier === "member";
  const isUnknown = isMember && (isOwnerUnknown() || memberName.peek() === "");
  rememberMember(isMember, isUnknown ? await server.account.me.query({}) : undefined);
  if (!isMember) return;
  const { characters, lifetimes, fileBytes } = anonymousLimits();
  memberLimits.value = {
    characters: limits.secretLength?.value ?? characters,
    lifetimes: lifetimesOf(limits.secretExpires) ?? lifetimes,
    fileBytes: limits.secretFileSize?.value ?? fileBytes,
    isMember: true,
    hasHooks: caller.hasHooks,
  };
}

/** How large a file members may send, shown to people without an account. */
export async function loadMemberFileBytes(): Promise<number> {
  const { server } = await import("./server.ts");
  const { tiers } = await server.tools.catalogue.query({});
  return tiers.member.secretFileSize?.value ?? 0;
}

/** The largest file, in bytes, that the server's tools take from the person at this browser. */
export async function loadToolFileBytes(): Promise<number | undefined> {
  const { server } = await import("./server.ts");
  const { limits } = await server.tools.catalogue.query({});
  return limits.fileSize?.value;
}

onOtherTab(() => {
  if (!hasMember()) memberLimits.value = undefined;
  remembered.value = remembered.peek() + 1;
});

/** Whether somebody has logged in with this browser. */
export function mayBeMember(): boolean {
  void remembered.value;
  return hasMember();
}

/** Stores whether somebody is logged in here, and who, where that is known. */
export function rememberMember(isMember: boolean, who?: MemberName): void {
  if (!isMember) memberLimits.value = undefined;
  noteMember(isMember ? who?.id : null, who?.name);
  remembered.value = remembered.peek() + 1;
}

function lifetimesOf(limit: Limit | undefined): Lifetimes | undefined {
  return (
    limit && { minimum: limit.minimum ?? MIN_SECRET_SECONDS, maximum: limit.value, offered: limit.allowed }
  );
}

type Limit = Awaited<ReturnType<Client["tools"]["catalogue"]["query"]>>["limits"][string];

/** Frames times pixels that the person at this browser may have decoded, here as on the server. */
export function allowedPixels(): number {
  return mayBeMember() ? IMAGE_PIXELS.member : IMAGE_PIXELS.anonymous;
}
