import { openLabel, sealLabel } from "../../tools/crypto/label-seal.ts";
import { decodeBase64, encodeBase64Url } from "../../wire/base64.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { LoginEnded } from "../api/failure.ts";
import { tellLeft } from "../app/owner.ts";
import { canLabel } from "./member-fields.tsx";

const PLACE = "label-secret";

// Stored in this browser only: other browsers of the account, and the server, see only that there is a label.
function readSecret(): Bytes | undefined {
  const kept = localStorage.getItem(PLACE);
  return kept === null ? undefined : decodeBase64(kept);
}

function readOrMakeSecret(): Bytes {
  try {
    const kept = readSecret();
    if (kept) return kept;
  } catch {
    // The stored text is not one of our keys, and opens no label.
  }
  return crypto.getRandomValues(new Uint8Array(32));
}

/**
 * Encrypts a label for this browser; none where none was given, or where nobody is logged in any more.
 * @throws LoginEnded once, where that is since another tab has logged out: what is sent now would be nobody's
 */
export async function sealOwnLabel(typed: string): Promise<string | undefined> {
  if (tellLeft()) throw new LoginEnded();
  const label = typed.trim();
  if (label === "" || !canLabel()) return undefined;
  const secret = readOrMakeSecret();
  localStorage.setItem(PLACE, encodeBase64Url(secret));
  return sealLabel(label, secret);
}

/** The entries of a list, each with its label if this browser can read it. */
export function openOwnLabels<Entry extends { label?: string | undefined }>(
  entries: readonly Entry[],
): Promise<(Omit<Entry, "label"> & { label: string | undefined })[]> {
  return Promise.all(entries.map(async (each) => ({ ...each, label: await openOwnLabel(each.label) })));
}

/** A label that this browser has encrypted; undefined for any other. */
async function openOwnLabel(sealed: string | undefined): Promise<string | undefined> {
  if (sealed === undefined) return undefined;
  try {
    const secret = readSecret();
    return secret && (await openLabel(sealed, secret));
  } catch {
    // Storage may be switched off; then no label can be read.
    return undefined;
  }
}
