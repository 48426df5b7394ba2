import { signal } from "@preact/signals";
import { ANONYMOUS_LIMITS } from "../../wire/limits.ts";

/** How long a text may be, in characters, how large a file, and how long they may live. */
interface SecretLimits {
  readonly characters: number;
  readonly seconds: number;
  readonly fileBytes: number;
  readonly isMember: boolean;
}

/** The limits of whoever has no account; `/api/tools` tells those of its caller. */
const ANONYMOUS: SecretLimits = {
  characters: ANONYMOUS_LIMITS.secretCharacters,
  seconds: ANONYMOUS_LIMITS.secretSeconds,
  fileBytes: ANONYMOUS_LIMITS.fileSize,
  isMember: false,
};

/** The limits of the person at this browser; those of an anonymous one until the server has said more. */
export const secretLimits = signal<SecretLimits>(ANONYMOUS);

const KEY = "member";

/** Whether this instance keeps for members what the person at this browser might start (ANONYMOUS). */
export function isForMembers(what: "secrets" | "tools"): boolean {
  // The server writes it into the page, so that nobody has to ask.
  const { anonymous = "all" } = document.documentElement.dataset;
  if (anonymous === "all" || anonymous === what) return false;
  return !secretLimits.value.isMember && !mayBeMember();
}

/** Asks for a member's limits where somebody has logged in with this browser. Nobody else causes a request. */
export async function loadSecretLimits(): Promise<void> {
  if (!mayBeMember()) return;
  // The typed client is a third of what the first page loads.
  const { server } = await import("./server.ts");
  const { caller, limits } = await server.tools.catalogue.query({});
  rememberMember(caller.tier === "member");
  secretLimits.value = {
    characters: valueOf(limits.secretLength) ?? ANONYMOUS.characters,
    seconds: valueOf(limits.secretExpires) ?? ANONYMOUS.seconds,
    fileBytes: valueOf(limits.fileSize) ?? ANONYMOUS.fileBytes,
    isMember: caller.tier === "member",
  };
}

/** Whether somebody has logged in with this browser. The session itself is in a cookie that no script can read. */
export function mayBeMember(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

export function rememberMember(isMember: boolean): void {
  if (!isMember) secretLimits.value = ANONYMOUS;
  try {
    if (isMember) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the server is asked every time.
  }
}

function valueOf(limit: unknown): number | undefined {
  if (typeof limit !== "object" || limit === null || !("value" in limit)) return undefined;
  return typeof limit.value === "number" ? limit.value : undefined;
}
