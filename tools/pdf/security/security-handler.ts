import { ToolFailure } from "../../../wire/tool-failure.ts";
import { stringBytes } from "../syntax/strings.ts";
import { unsignedOf, type Dict, isDict, isString, numberOf, type Value } from "../syntax/values.ts";

export type Method = "none" | "rc4" | "AESV2" | "AESV3";

/** An encryption dictionary (ISO 32000-2, 7.6.4) as the rest of the engine needs it. */
export interface SecurityHandler {
  readonly revision: number;
  readonly isAes256: boolean;
  /** In bytes; several where the dictionary leaves it open. */
  readonly keyLengths: readonly number[];
  readonly owner: Uint8Array;
  readonly user: Uint8Array;
  readonly ownerKey: Uint8Array;
  readonly userKey: Uint8Array;
  readonly permissions: number;
  readonly id: Uint8Array;
  readonly encryptsMetadata: boolean;
  /** By the name of the crypt filter. */
  readonly methods: ReadonlyMap<string, Method>;
  readonly forStreams: string;
  readonly forStrings: string;
  readonly forAttachments: string;
}

type Resolve = (value: Value | undefined) => Value | undefined;

const METHODS: Readonly<Record<string, Method>> = { None: "none", V2: "rc4", AESV2: "AESV2", AESV3: "AESV3" };

/**
 * Reads an encryption dictionary.
 * @throws ToolFailure certificate_required for a public-key handler (7.6.5); unsupported_feature for all else that is
 *   not the standard handler with V 1, 2, 4 or 5
 */
export function readHandler(dict: Dict, id: Value | undefined, resolve: Resolve): SecurityHandler {
  const get = (key: string): Value | undefined => resolve(dict.get(key));
  const version = unsignedOf(get("V")) ?? 0;
  const revision = unsignedOf(get("R")) ?? 0;
  const filter = get("Filter");
  if (filter !== "Standard" && isPublicKey(filter, get("SubFilter"))) throw needsCertificate();
  const isKnown = [1, 2, 4, 5].includes(version) && revision >= 2 && revision <= 6;
  if (filter !== "Standard" || !isKnown || revision >= 5 !== version >= 5) throw unsupported();
  const streams = nameOr(get("StmF"), version < 4 ? STANDARD : IDENTITY);
  return {
    revision,
    isAes256: version === 5,
    keyLengths: keyLengthsOf(version, get("Length")),
    owner: bytesOf(get("O")),
    user: bytesOf(get("U")),
    ownerKey: bytesOf(get("OE")),
    userKey: bytesOf(get("UE")),
    permissions: (numberOf(get("P")) ?? -1) | 0,
    id: bytesOf(resolve(firstOf(resolve(id)))),
    encryptsMetadata: version < 4 || get("EncryptMetadata") !== false,
    methods: version < 4 ? new Map([[STANDARD, "rc4"]]) : methodsOf(get("CF"), resolve, version),
    forStreams: streams,
    forStrings: nameOr(get("StrF"), version < 4 ? STANDARD : IDENTITY),
    forAttachments: nameOr(get("EFF"), streams),
  };
}

/** Handlers of other makers have names of their own, but say in /SubFilter how recipients are written. */
function isPublicKey(filter: Value | undefined, subFilter: Value | undefined): boolean {
  return filter === "Adobe.PubSec" || (typeof subFilter === "string" && subFilter.startsWith("adbe.pkcs7."));
}

const STANDARD = "StdCF";
const IDENTITY = "Identity";

function keyLengthsOf(version: number, length: Value | undefined): number[] {
  if (version === 1) return [5];
  if (version === 4) return [16];
  if (version === 5) return [32];
  const number = numberOf(length);
  if (number === undefined) return [5, 16];
  // The entry is in bits, but some writers put bytes.
  const bytes = number < 40 ? number : number >> 3;
  return bytes >= 5 && bytes <= 16 ? [bytes] : [5, 16];
}

function methodsOf(filters: Value | undefined, resolve: Resolve, version: number): Map<string, Method> {
  const methods = new Map<string, Method>();
  if (!isDict(filters)) return methods;
  for (const [name, value] of filters) {
    const filter = resolve(value);
    const method = isDict(filter) ? resolve(filter.get("CFM")) : undefined;
    const known = METHODS[typeof method === "string" ? method : "None"];
    if (!known) throw unsupported();
    // Before V 5 keys are shorter, and belong to objects whatever the filter is called.
    methods.set(name, known === "AESV3" && version < 5 ? "AESV2" : known);
  }
  return methods;
}

function nameOr(value: Value | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function bytesOf(value: Value | undefined): Uint8Array {
  return isString(value) ? stringBytes(value) : new Uint8Array(0);
}

function firstOf(value: Value | undefined): Value | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}

function needsCertificate(): ToolFailure {
  return new ToolFailure(
    "certificate_required",
    "The document is encrypted for the owners of certificates, which are not supported; send a copy that opens with a password, or without one.",
  );
}

function unsupported(): ToolFailure {
  return new ToolFailure(
    "unsupported_feature",
    "The document is encrypted in a way that is not supported; supported are passwords with RC4, AES-128 and AES-256.",
  );
}
