import type { LoginKind } from "../../db/schema.ts";

/**
 * With what somebody proves who they are. A passkey is two factors by itself, because its device asks for a finger or a
 * PIN; so is a provider that answers for more than one (`provider`), and a program around that knows its own users.
 */
export type Factor =
  "password" | "totp" | "recovery" | "passkey" | "provider" | "provider_one_factor" | "embedder";

/** That somebody has just proved who they are. */
export interface Proof {
  /** In their order. */
  readonly factors: readonly Factor[];
  /** What the provider calls its own session. */
  readonly providerSession?: string | undefined;
}

const WHOLE: readonly Factor[] = ["passkey", "provider", "embedder"];

/** Whether a proof is more than one factor (NIST SP 800-63B, 2.2). */
export function isStrongProof({ factors }: Proof): boolean {
  return factors.some((factor) => WHOLE.includes(factor)) || new Set(factors).size > 1;
}

/** What a login is called, by the factor that tells most of it: where the recovery code was used, that. */
export function loginKind({ factors }: Proof): LoginKind {
  if (factors.includes("recovery")) return "recovery";
  if (factors.includes("totp")) return "totp";
  if (factors.includes("passkey")) return "passkey";
  return factors.includes("password") ? "password" : "provider";
}
