import { checkString, type Values } from "./model-schema.ts";
import { readReference } from "./references.ts";
import type { ToolContext } from "./tool.ts";

/** The passphrase that a model names, if it names one. @throws CliError usage, limit */
export async function readPassphrase(
  { io, folders }: Pick<ToolContext, "io" | "folders">,
  { passphrase }: Values,
): Promise<string | undefined> {
  if (passphrase === undefined) return undefined;
  const parameter = "passphrase";
  return readReference(io, folders, { parameter, text: checkString(parameter, passphrase) });
}
