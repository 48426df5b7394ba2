import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

/** An authenticator in software (WebAuthn level 3, 6), whose answers a test can get wrong. */
export class Authenticator {
  readonly id = randomBytes(16).toString("base64url");
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  counter = 0;
  /** Whose it is, as it was told when it was made. */
  userHandle = "";

  /** What `navigator.credentials.create` gives, in JSON. */
  create(options: Asked, { origin, rpId, isVerified }: Client) {
    this.userHandle = options.user?.id ?? "";
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const key = map([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...([
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ] as const),
    ]);
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, key]);
    const authData = Buffer.concat([this.#data({ rpId, isVerified, flags: 0x40 }), credential]);
    const attestationObject = map([
      ["fmt", "none"],
      ["attStmt", {}],
      ["authData", authData],
    ]);
    const clientDataJSON = clientData("webauthn.create", { challenge: options.challenge, origin });
    const response = {
      clientDataJSON: url(clientDataJSON),
      attestationObject: url(attestationObject),
      transports: ["internal"],
    };
    return { id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {}, response };
  }

  /** What `navigator.credentials.get` gives, in JSON. */
  get(options: Asked, { origin, rpId, isVerified }: Client) {
    const authenticatorData = this.#data({ rpId, isVerified, flags: 0 });
    const clientDataJSON = clientData("webauthn.get", { challenge: options.challenge, origin });
    const digest = createHash("sha256").update(clientDataJSON).digest();
    const signature = createSign("sha256")
      .update(Buffer.concat([authenticatorData, digest]))
      .sign(this.#keys.privateKey);
    const response = {
      clientDataJSON: url(clientDataJSON),
      authenticatorData: url(authenticatorData),
      signature: url(signature),
      userHandle: this.userHandle,
    };
    return { id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {}, response };
  }

  #data({ rpId, isVerified, flags }: { rpId: string; isVerified: boolean; flags: number }): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const present = 0x01 | (isVerified ? 0x04 : 0) | flags;
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([present]), counter]);
  }
}

interface Asked {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

/** What the browser around it says. */
interface Client {
  readonly origin: string;
  readonly rpId: string;
  readonly isVerified: boolean;
}

function clientData(type: string, { challenge, origin }: { challenge: string; origin: string }): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function url(bytes: Buffer): string {
  return bytes.toString("base64url");
}

/** An object is an empty map. */
type Cbor = number | string | Buffer | Readonly<Record<string, never>>;

// As much of CBOR (RFC 8949) as an authenticator needs.
function map(entries: readonly (readonly [number | string, Cbor])[]): Buffer {
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, value]) => [item(key), item(value)]),
  ]);
}

function item(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return head(5, 0);
}

function head(type: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(type << 5) | count]);
  return Buffer.from(count < 256 ? [(type << 5) | 24, count] : [(type << 5) | 25, count >> 8, count & 255]);
}
