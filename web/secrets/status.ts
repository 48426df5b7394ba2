import { postForJson, type AnswerOf, type Secrets } from "../api/rest.ts";
import type { SecretLink } from "../../wire/links.ts";

/** The state of a secret, which can be asked for without reading it. */
export type SecretStatus = AnswerOf<Secrets["status"]>;

/** Asks for the state of a secret. This reads nothing and changes nothing. */
export function fetchStatus({ id, key }: SecretLink): Promise<SecretStatus> {
  return postForJson<SecretStatus>(`/api/secrets/${id}/status`, { key });
}
