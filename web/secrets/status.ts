import { postForJson, type AnswerOf, type Secrets } from "../api/rest.ts";
import type { SecretLink } from "../../wire/links/links.ts";

/** The state of a secret, which can be asked for without reading it. */
export type StatusAnswer = AnswerOf<Secrets["status"]>;

/** Asks for the state of a secret. This reads nothing and changes nothing. */
export function fetchStatus({ id, key }: SecretLink): Promise<StatusAnswer> {
  return postForJson<StatusAnswer>(`/api/secrets/${id}/status`, { key });
}
