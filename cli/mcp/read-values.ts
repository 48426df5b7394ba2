import { basename } from "node:path";
import { DEFAULT_LIMITS } from "../../router/limits.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { usageError } from "../exit.ts";
import { decodeText } from "../files/comparison.ts";
import { readInput } from "../files/input.ts";
import type { AllowedFolders, NamedPath } from "./allowed-folders.ts";
import {
  checkString,
  checkValues,
  kindOf,
  toModelSchema,
  type JsonSchema,
  type Values,
} from "./model-schema.ts";
import type { DescribedTool, ToolContext } from "./tool.ts";
import { readReference } from "./references.ts";

interface ToolInput extends Pick<ToolContext, "io" | "folders"> {
  readonly tool: DescribedTool;
  /** How many more bytes the files may have together: as much as a member may send to a server. */
  bytesLeft: number;
}

/**
 * Reads the files and secrets that a model's values refer to, and returns the input for the API.
 * @throws CliError usage, limit
 */
export function readValues(
  io: ToolContext["io"],
  folders: AllowedFolders,
  { tool, values }: { tool: DescribedTool; values: Values },
): Promise<Values> {
  const toolInput = { io, folders, tool, bytesLeft: DEFAULT_LIMITS.member.totalSize };
  return readObject(toolInput, values, tool.input);
}

async function readObject(toolInput: ToolInput, values: Values, schema: JsonSchema): Promise<Values> {
  const input = {};
  for (const [name, value] of Object.entries(values)) {
    const described = schema.properties?.[name] ?? {};
    Object.assign(input, await readValue(toolInput, { name, value, described }));
  }
  return input;
}

async function readValue(
  toolInput: ToolInput,
  { name, value, described }: { name: string; value: unknown; described: JsonSchema },
): Promise<Values> {
  const { io, folders, tool } = toolInput;
  switch (kindOf(name, described, tool.texts)) {
    case "file": {
      const path = checkString(name, value);
      return { [name]: await readBytes(toolInput, { parameter: name, path }), ...nameOf(path, name, tool) };
    }
    case "text": {
      const data = await readBytes(toolInput, { parameter: name, path: checkString(name, value) });
      return { [name]: await toText(name, data) };
    }
    case "reference": {
      const text = checkString(name, value);
      return { [name]: await readReference(io, folders, { parameter: name, text }) };
    }
    case "list":
      return { [name]: await readList(toolInput, { name, value, schema: described.items ?? {} }) };
    default:
      return { [name]: value };
  }
}

async function readList(
  toolInput: ToolInput,
  { name, value, schema }: { name: string; value: unknown; schema: JsonSchema },
): Promise<unknown> {
  // The procedure refuses what is not a list.
  if (!Array.isArray(value)) return value;
  const items: Values[] = [];
  for (const [index, each] of value.entries()) {
    const values = checkValues(each, toModelSchema(schema, []), `Parameter "${name}[${index}]"`);
    items.push(await readObject(toolInput, values, schema));
  }
  return items;
}

async function readBytes(toolInput: ToolInput, named: NamedPath): Promise<Bytes> {
  const maxBytes = Math.min(DEFAULT_LIMITS.member.fileSize, toolInput.bytesLeft);
  const data = await readInput(toolInput.io, await toolInput.folders.findInput(named, { maxBytes }));
  toolInput.bytesLeft -= data.length;
  return data;
}

/**
 * Each of several files gets a name, by which the answer tells them apart; a single file only where the tool uses it.
 */
function nameOf(path: string, parameter: string, { input, readsName }: DescribedTool): Values {
  if (!(parameter in (input.properties ?? {}))) return { name: path };
  return readsName ? { filename: basename(path) } : {};
}

async function toText(parameter: string, data: Bytes): Promise<string> {
  const decoded = await decodeText(data);
  if (decoded) return decoded.text;
  throw usageError(`Parameter "${parameter}": this is a binary file, and only texts are compared.`);
}

/** The passphrase that a model refers to, if any. @throws CliError usage, limit */
export async function readPassphrase(
  { io, folders }: Pick<ToolContext, "io" | "folders">,
  { passphrase }: Values,
): Promise<string | undefined> {
  if (passphrase === undefined) return undefined;
  const parameter = "passphrase";
  return readReference(io, folders, { parameter, text: checkString(parameter, passphrase) });
}
