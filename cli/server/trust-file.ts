import { CliError, EXIT } from "../exit.ts";
import { inputName, readTextInput } from "../files/input.ts";
import type { Io } from "../terminal/io.ts";

const CERTIFICATE = "-----BEGIN CERTIFICATE-----";

/** Trusts the authorities of a file beside those that are known. @throws CliError usage where it holds no certificate */
export async function trustFile(io: Io, path: string): Promise<void> {
  const text = await readTextInput(io, path);
  if (!text.includes(CERTIFICATE)) throw noCertificate(path);
  await io.trust(text).catch(() => {
    throw noCertificate(path);
  });
}

function noCertificate(path: string): CliError {
  const message = `--cacert: ${inputName(path)} holds no certificate in PEM, which begins with ${CERTIFICATE}.`;
  return new CliError(EXIT.usage, message);
}
