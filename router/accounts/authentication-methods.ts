import type { Factor } from "./proof.ts";

/** What `amr` says that somebody knows, has and is (RFC 8176, 2). */
const KINDS: Readonly<Record<string, string>> = {
  pwd: "knows",
  pin: "knows",
  kba: "knows",
  otp: "has",
  sms: "has",
  tel: "has",
  mca: "has",
  swk: "has",
  hwk: "has",
  pop: "has",
  sc: "has",
  face: "is",
  fpt: "is",
  iris: "is",
  retina: "is",
  vbm: "is",
};

/** What a provider's login is worth: one that says how somebody has logged in, and names one factor, is that one. */
export function factorOf({ amr }: Readonly<Record<string, unknown>>): Factor {
  if (!Array.isArray(amr) || amr.length === 0 || amr.includes("mfa")) return "provider";
  const kinds = amr.flatMap((method) => (typeof method === "string" ? (KINDS[method] ?? []) : []));
  return new Set(kinds).size > 1 ? "provider" : "provider_one_factor";
}
