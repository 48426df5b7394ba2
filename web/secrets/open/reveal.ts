import { makeReaderKeys, openRevealed, type OpenedContent } from "../../../tools/crypto/end-to-end.ts";
import { deriveEndToEnd, openText } from "../../../tools/crypto/text-seal.ts";
import type { SecretLink } from "../../../wire/links/links.ts";
import { askAgain } from "../../../client/ask-again.ts";
import { isWorthAgain } from "../../api/failure.ts";
import { keepInTab, readTab } from "../../app/paths/tab.ts";
import { post, postForJson, type AnswerOf, type Secrets } from "../../api/rest.ts";
import type { StatusAnswer } from "../status.ts";
import type { Delivery } from "./delivery.ts";
import type { ReceivedFile } from "./file-delivery.tsx";
import { randomBase62 } from "../../../tools/crypto/base62.ts";

/** The content of a revealed secret: text, ciphertext that this link does not decrypt, or a file being received. */
export type RevealedContent = (
  | Exclude<OpenedContent, { is: "sealed" }>
  | (Extract<OpenedContent, { is: "sealed" }> & { readonly passphrase: string })
  | { readonly is: "file"; readonly delivery: Delivery; readonly View: typeof ReceivedFile }
) & {
  /** Confirms that it was received: the server deletes it at once. */
  readonly confirm: () => Promise<void>;
};

/** Reads the secret, which the server then keeps for this tab only, and decrypts it if a browser encrypted it. */
export async function postReveal(
  link: SecretLink,
  options: { secret: StatusAnswer; passphrase: string },
): Promise<RevealedContent> {
  const { secret, passphrase } = options;
  const { id, key, inner } = link;
  const { keys, sent } = await makeReaderKeys(inner, { ...secret, passphrase });
  const ticket = ticketFor(id);
  const fields = { key, ...sent };
  const confirm = async () => {
    await post(`/api/secrets/${id}/received`, { key, ticket });
    forgetTicket(id);
  };
  if (secret.kind === "file") {
    // Loaded before the file is claimed: nothing that shows it may be missing afterwards.
    const loading = [import("./delivery.ts"), import("./file-delivery.tsx")] as const;
    const [{ startDelivery }, { ReceivedFile: View }] = await Promise.all(loading);
    const delivery = await startDelivery(secret, { fields, keys, passphrase, ticket });
    return { is: "file", View, delivery, confirm };
  }
  const path = `/api/secrets/${id}/reveal`;
  const revealed = await askAgain(
    () => postForJson<AnswerOf<Secrets["reveal"]>>(path, { ...fields, ticket }),
    isWorthAgain,
  );
  const opened = await openRevealed(revealed, keys);
  return opened.is === "sealed" ? { ...opened, passphrase, confirm } : { ...opened, confirm };
}

/** Decrypts content that was read with an incomplete link. */
export async function decryptWith(
  inner: string,
  of: { content: string; passphrase: string },
): Promise<string> {
  const { contentKey } = await deriveEndToEnd(inner, { passphrase: of.passphrase });
  return openText(of.content, contentKey);
}

const TICKET_LENGTH = 32;
const TICKET = "ticket ";
const OPENED = "opened ";

/**
 * This tab's ticket for an id, made where there is none. It is kept before anything is claimed, and survives a reload
 * or a crash of the tab. It opens nothing by itself: the key is only in the link.
 */
function ticketFor(id: string): string {
  const ticket = readTab(TICKET + id) || randomBase62(TICKET_LENGTH);
  keepInTab(TICKET + id, ticket);
  return ticket;
}

/** Whether this tab has claimed it before. */
export function hasTicket(id: string): boolean {
  return readTab(TICKET + id) !== "";
}

/** Deletes a ticket that gives nothing any more. */
export function forgetTicket(id: string): void {
  keepInTab(TICKET + id, "");
}

/** Keeps in mind that this tab has opened a secret: only by its id, which opens nothing. */
export function rememberOpened(id: string): void {
  keepInTab(OPENED + id, "1");
}

/** Whether this tab has opened a secret. */
export function wasOpenedHere(id: string): boolean {
  return readTab(OPENED + id) !== "";
}
