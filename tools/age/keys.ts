import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { linesOf } from "../../wire/given-text.ts";

/** As many as fit into a header, of the largest kind. */
const MAX_RECIPIENTS = 1000;
const MAX_IDENTITIES = 100;
const POST_QUANTUM = /^age1(?:tag)?pq1/;

/** Keys as in files of the age program, one per line, or one per text. */
export type Keys = string | readonly string[];

interface KeyPair {
  /** `AGE-SECRET-KEY-1…`, which decrypts. */
  readonly identity: string;
  /** `age1…`, which may be given to everybody. */
  readonly recipient: string;
}

/** Makes a key pair for age files (X25519). */
export async function makeAgeKeys(): Promise<KeyPair> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** What the age program's own key maker writes, except for the date. */
export function writeIdentityFile({ identity, recipient }: KeyPair): string {
  return `# public key: ${recipient}\n${identity}\n`;
}

/**
 * Reads recipients, one per line, with comments and empty lines as in the age program. Errors name `parameter`, which
 * may be a file.
 * @throws ToolFailure missing_parameter, invalid_parameter with the number of the line
 */
export function readRecipients(text: Keys, parameter: string): readonly string[] {
  const recipients = readKeys(text, parameter, { most: MAX_RECIPIENTS, check: checkRecipient });
  const quantum = recipients.filter((recipient) => POST_QUANTUM.test(recipient));
  if (quantum.length === 0 || quantum.length === recipients.length) return recipients;
  // C2SP age: a single recipient without it would remove the protection from the whole file.
  const message = `"${parameter}" mixes post-quantum recipients (age1pq1…) with others; give one kind`;
  throw invalidKeys(message, { parameter });
}

/**
 * The same for identities.
 * @throws ToolFailure missing_parameter, invalid_parameter with the number of the line
 */
export function readIdentities(text: Keys, parameter: string): readonly string[] {
  return readKeys(text, parameter, { most: MAX_IDENTITIES, check: checkIdentity });
}

function readKeys(
  text: Keys,
  parameter: string,
  { most, check }: { most: number; check: (line: string) => string | undefined },
): readonly string[] {
  const keys: string[] = [];
  for (const [i, raw] of [text].flat().flatMap(linesOf).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const fault = check(line);
    if (fault) throw invalidKeys(`Line ${i + 1} of "${parameter}" ${fault}`, { parameter, line: i + 1 });
    if (keys.length === most)
      throw invalidKeys(`"${parameter}" has more than ${most} keys`, { parameter, maximum: most });
    keys.push(line);
  }
  if (keys.length > 0) return keys;
  throw new ToolFailure("missing_parameter", `"${parameter}" holds no key`, { parameter });
}

function invalidKeys(message: string, fields: { parameter: string; line?: number; maximum?: number }) {
  return new ToolFailure("invalid_parameter", message, fields);
}

function checkRecipient(line: string): string | undefined {
  if (/^AGE-SECRET-KEY-|^AGE-PLUGIN-/i.test(line))
    return "is a secret identity; a recipient is its public key, age1…";
  if (/^(?:ssh|ecdsa|sk)-/.test(line)) return "is an SSH key; only recipients of age itself are known, age1…";
  if (!line.startsWith("age1")) return "is not a recipient; one begins with age1";
  return accepts(() => new Encrypter().addRecipient(line))
    ? undefined
    : "is not a recipient: it is cut or mistyped";
}

function checkIdentity(line: string): string | undefined {
  if (line.startsWith("age1")) return "is a public key; a file is opened by its identity, AGE-SECRET-KEY-1…";
  if (line.startsWith("AGE-PLUGIN-")) return "is an identity of a plugin, which only the age program can run";
  if (line.startsWith("-----BEGIN AGE")) return "begins an encrypted identity; decrypt it first";
  if (/^-----BEGIN|^ssh-/.test(line)) return "is an SSH key; only identities of age itself are known";
  if (!/^AGE-SECRET-KEY-(?:PQ-)?1/.test(line)) return "is not an identity; one begins with AGE-SECRET-KEY-1";
  return accepts(() => new Decrypter().addIdentity(line))
    ? undefined
    : "is not an identity: it is cut or mistyped";
}

function accepts(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
