import { readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { utf8 } from "../../wire/bytes.ts";
import { plainBytes, inputName, readTextInput } from "../files/input.ts";
import { makeFolder, startOutput } from "../files/output.ts";
import { CliError, codeOf, usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";

/** What a login stores. */
export interface CliConfig {
  readonly url?: string;
  readonly token?: string;
}

/**
 * The path of the configuration by the XDG Base Directory Specification, which ignores relative paths in its variables.
 */
export function configPath({ env }: Io): string {
  const given = env.XDG_CONFIG_HOME;
  const base = given && isAbsolute(given) ? given : join(env.HOME || homedir(), ".config");
  return join(base, "hushkit", "config.json");
}

/** @throws CliError usage where the file is not one that a login wrote */
export async function readCliConfig(io: Io): Promise<CliConfig> {
  const path = configPath(io);
  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return utf8("{}");
    throw usageError(`${path}: the configuration cannot be read.`);
  });
  const { readGivenText } = await import("../../wire/given-text.ts");
  try {
    return pickConfig(JSON.parse(readGivenText(plainBytes(bytes)) ?? ""));
  } catch {
    throw usageError(`${path}: this is not JSON; delete the file and log in again.`);
  }
}

function pickConfig(read: unknown): CliConfig {
  if (typeof read !== "object" || read === null) return {};
  const { url, token } = read as { url?: unknown; token?: unknown };
  return {
    ...(typeof url === "string" && { url }),
    ...(typeof token === "string" && { token }),
  };
}

/**
 * Begins to replace the configuration, readable for its owner only: there is no use in a token that cannot be saved.
 * @throws CliError usage where it cannot be written
 */
export async function startConfig(io: Io) {
  const path = configPath(io);
  await makeFolder(io, dirname(path), 0o700);
  const { write, finish, drop } = await startOutput(io, { path, force: true, isPrivate: true });
  const save = async (config: CliConfig) => {
    await write(utf8(`${JSON.stringify(config, null, 2)}\n`));
    await finish();
  };
  return { save, drop };
}

export async function deleteConfig(io: Io): Promise<void> {
  await rm(configPath(io), { force: true });
}

const CERTIFICATE = "-----BEGIN CERTIFICATE-----";

/**
 * Trusts the certificate authorities of a file in addition to the known ones.
 * @throws CliError usage where it contains no certificate
 */
export async function trustFile(io: Io, path: string): Promise<void> {
  const text = await readTextInput(io, path);
  if (!text.includes(CERTIFICATE)) throw noCertificate(path);
  await io.trust(text).catch(() => {
    throw noCertificate(path);
  });
}

function noCertificate(path: string): CliError {
  const message = `--cacert: ${inputName(path)} holds no certificate in PEM, which begins with ${CERTIFICATE}.`;
  return usageError(message);
}
