import { openLabel, sealLabel } from "../../tools/crypto/label-seal.ts";
import { decodeBase64, encodeBase64Url } from "../../wire/base64.ts";
import type { Bytes } from "../../wire/bytes.ts";

const PLACE = "label-secret";

// In this browser alone: who has the account elsewhere, and the server, see that there is a label.
function readSecret(): Bytes | undefined {
  const kept = localStorage.getItem(PLACE);
  return kept === null ? undefined : decodeBase64(kept);
}

/** Seals a label for this browser. */
export function sealOwnLabel(label: string): Promise<string> {
  const secret = readSecret() ?? crypto.getRandomValues(new Uint8Array(32));
  localStorage.setItem(PLACE, encodeBase64Url(secret));
  return sealLabel(label, { secret });
}

/** A label that this browser has sealed; undefined for any other. */
export async function openOwnLabel(sealed: string | undefined): Promise<string | undefined> {
  if (sealed === undefined) return undefined;
  try {
    const secret = readSecret();
    return secret && (await openLabel(sealed, { secret }));
  } catch {
    // Storage may be switched off; then no label can be read.
    return undefined;
  }
}
