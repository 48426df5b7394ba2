import { askAgain } from "../../client/ask-again.ts";
import {
  deriveRequestGate,
  makeAskerKeys,
  openAnswer,
  openNote,
  readLinkKey,
  sealAnswer,
  sealNote,
  writeLinkKey,
} from "../../tools/crypto/request-seal.ts";
import { sealOwnLabel } from "../account/labels.ts";
import { isWorthAgain } from "../api/failure.ts";
import { post, postForJson, type AnswerOf, type Requests } from "../api/rest.ts";
import { requestLinks, type AnswerLink, type CollectLink } from "../../wire/links/links.ts";

export type RequestInfo = Omit<AnswerOf<Requests["status"]>, "note">;

/** The counts of a request before the server has said more. */
export const UNANSWERED = {
  status: "open",
  closed: null,
  answers: 1,
  answered: 0,
  collected: 0,
} as const satisfies Partial<RequestInfo>;

/** A request as its asker sees it. */
export type OpenRequest = Awaited<ReturnType<typeof ask>>;

/**
 * Makes a key pair and stores the request; the server sees neither the note nor a key. The label is the member's name
 * for it, and may be empty.
 */
export async function ask(options: {
  note: string;
  label: string;
  expires: number;
  answers: number;
  notify: boolean;
}) {
  const { note, label, expires, answers, notify } = options;
  const { publicKey, privateKey } = await makeAskerKeys();
  const gate = deriveRequestGate(publicKey);
  const sealed = note === "" ? {} : { note: await sealNote(note, publicKey) };
  const body = { gate, expires, answers, notify, label: await sealOwnLabel(label), ...sealed };
  const created = await postForJson<AnswerOf<Requests["create"]>>("/api/requests", body);
  const { id, url, expiry, collectToken } = created;
  const keys = { publicKey: writeLinkKey(publicKey), privateKey: writeLinkKey(privateKey) };
  const links = requestLinks({ url, collectToken, ...keys });
  return {
    server: "",
    id,
    expiry,
    answers,
    collectToken,
    privateKey: keys.privateKey,
    giveUrl: links.answer,
    keepUrl: links.collect,
  };
}

/** A request as the person who is asked sees it. */
export interface ReceivedRequest extends RequestInfo {
  readonly note: string | null;
  /** Until it ends, in seconds by the server's clock: a visitor's may be hours off. */
  readonly secondsLeft: number;
}

/** Loads the state of a request, and decrypts its note. */
export async function fetchRequest({ id, publicKey }: AnswerLink): Promise<ReceivedRequest> {
  const key = readLinkKey(publicKey);
  const path = `/api/requests/${id}/status`;
  const response = await post(path, { gate: deriveRequestGate(key) });
  // The path identifies the procedure, whose schema has checked the answer.
  const request = (await response.json()) as AnswerOf<Requests["status"]>;
  const now = Date.parse(response.headers.get("date") ?? "") || Date.now();
  return {
    ...request,
    note: request.note === null ? null : await openNote(request.note, key),
    secondsLeft: Math.ceil((Date.parse(request.expiry) - now) / 1000),
  };
}

/** Encrypts an answer for the asker only. */
export function sealForAsker(text: string, { id, publicKey }: AnswerLink): Promise<string> {
  return sealAnswer(text, { publicKey: readLinkKey(publicKey), requestId: id });
}

/** Stores an encrypted answer, and sends the same one again where the response was lost. */
export async function postAnswer({ id, publicKey }: AnswerLink, content: string): Promise<RequestInfo> {
  const fields = { gate: deriveRequestGate(readLinkKey(publicKey)), content };
  return askAgain(() => postForJson<RequestInfo>(`/api/requests/${id}/answer`, fields), isWorthAgain);
}

/** The state of one's own request. */
export function fetchOwnRequest({ id, collectToken }: CollectLink): Promise<RequestInfo> {
  return postForJson<RequestInfo>(`/api/requests/${id}/status`, { collectToken });
}

/** Takes the oldest encrypted answer, which the server then keeps for this ticket. */
export async function postCollect(
  { id, collectToken }: CollectLink,
  ticket: string,
): Promise<AnswerOf<Requests["collect"]>> {
  const path = `/api/requests/${id}/collect`;
  const collect = () => postForJson<AnswerOf<Requests["collect"]>>(path, { collectToken, ticket });
  return askAgain(collect, isWorthAgain);
}

/** Confirms that a ticket's answer was received: the server deletes it at once. */
export async function postReceived({ id, collectToken }: CollectLink, ticket: string): Promise<void> {
  await post(`/api/requests/${id}/received`, { collectToken, ticket });
}

/** Decrypts what postCollect returned. @throws ToolFailure */
export function openCollected(content: string, { id, privateKey }: CollectLink): Promise<string> {
  return openAnswer(content, { privateKey: readLinkKey(privateKey), requestId: id });
}

/** Ends a request, and deletes unread answers. */
export function postCancel({ id, collectToken }: CollectLink): Promise<{ closed: string | null }> {
  return postForJson<AnswerOf<Requests["cancel"]>>(`/api/requests/${id}/cancel`, { collectToken });
}

/** Closes a request for further answers; existing ones stay. */
export function postClose({ id, collectToken }: CollectLink): Promise<RequestInfo> {
  return postForJson<AnswerOf<Requests["close"]>>(`/api/requests/${id}/close`, { collectToken });
}
