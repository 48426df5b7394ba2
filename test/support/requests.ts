import { encodeFrame } from "../../wire/frame.ts";
import { FRAME_TYPE } from "../../wire/rpc.ts";
import type { Harness } from "./harness.ts";

/** A POST of JSON. */
export function jsonPost(value: unknown, headers: Record<string, string> = {}) {
  const type = { "content-type": "application/json" };
  return { method: "POST", body: JSON.stringify(value), headers: { ...type, ...headers } };
}

/** A POST of the binary frame that RPC takes besides JSON. */
export function framePost(value: unknown) {
  const headers = { "content-type": FRAME_TYPE };
  return { method: "POST", body: encodeFrame(value), headers };
}

export interface SharedSecret {
  readonly id: string;
  readonly key: string;
  readonly revokeToken: string;
  readonly expiry: string;
  readonly url: string;
}

/** A secret as its sender has it, shared without an account or by the one that the headers log in. */
export async function shareSecret(
  service: Harness,
  { headers, ...fields }: { headers?: Record<string, string>; [field: string]: unknown } = {},
): Promise<SharedSecret> {
  const response = await service.request("/api/secrets", jsonPost({ content: "hush", ...fields }, headers));
  if (response.status !== 201) throw new Error(`Sharing answered ${response.status}`);
  return (await response.json()) as SharedSecret;
}
