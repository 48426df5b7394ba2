import { basename } from "node:path";
import { DEFAULT_LIMITS } from "../../router/limits.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { CliError, EXIT } from "../exit.ts";
import { readInput } from "../files/input.ts";
import { decodeText } from "../files/text-encoding.ts";
import type { AllowedFolders } from "./allowed-folders.ts";
import {
  checkString,
  checkValues,
  kindOf,
  toModelSchema,
  type JsonSchema,
  type Values,
} from "./model-schema.ts";
import type { DescribedTool } from "./procedures.ts";
import { readReference } from "./references.ts";
import type { ToolContext } from "./tool.ts";

interface Reading extends Pick<ToolContext, "io" | "folders"> {
  readonly tool: DescribedTool;
  /** What all files together may still have, as where a member sends them to a server. */
  bytesLeft: number;
}

/** Reads what the values of a model name, and gives the input of the API. @throws CliError usage, limit */
export function readValues(
  { io, folders }: { io: ToolContext["io"]; folders: AllowedFolders },
  { tool, values }: { tool: DescribedTool; values: Values },
): Promise<Values> {
  const reading = { io, folders, tool, bytesLeft: DEFAULT_LIMITS.member.totalSize };
  return readObject(reading, { values, schema: tool.input });
}

async function readObject(
  reading: Reading,
  { values, schema }: { values: Values; schema: JsonSchema },
): Promise<Values> {
  const input = {};
  for (const [name, value] of Object.entries(values)) {
    const described = schema.properties?.[name] ?? {};
    Object.assign(input, await readValue(reading, { name, value, described }));
  }
  return input;
}

async function readValue(
  reading: Reading,
  { name, value, described }: { name: string; value: unknown; described: JsonSchema },
): Promise<Values> {
  const { io, folders, tool } = reading;
  switch (kindOf(name, described, tool.texts)) {
    case "file": {
      const path = checkString(name, value);
      return { [name]: await readBytes(reading, path), ...nameOf(path, name, tool) };
    }
    case "text":
      return { [name]: await toText(name, await readBytes(reading, checkString(name, value))) };
    case "reference": {
      const text = checkString(name, value);
      return { [name]: await readReference(io, folders, { parameter: name, text }) };
    }
    case "list":
      return { [name]: await readList(reading, { value, schema: described.items ?? {} }) };
    default:
      return { [name]: value };
  }
}

async function readList(
  reading: Reading,
  { value, schema }: { value: unknown; schema: JsonSchema },
): Promise<unknown> {
  // What is no list is for the procedure to refuse.
  if (!Array.isArray(value)) return value;
  const items: Values[] = [];
  for (const each of value) {
    const values = checkValues(each, toModelSchema(schema, []));
    items.push(await readObject(reading, { values, schema }));
  }
  return items;
}

async function readBytes(reading: Reading, path: string): Promise<Bytes> {
  const maxBytes = Math.min(DEFAULT_LIMITS.member.fileSize, reading.bytesLeft);
  const data = await readInput(reading.io, await reading.folders.findInput(path, { maxBytes }));
  reading.bytesLeft -= data.length;
  return data;
}

/** Of several files each has a name, by which the answer tells them apart; others only where the tool makes use of it. */
function nameOf(path: string, parameter: string, { input, readsName }: DescribedTool): Values {
  if (!(parameter in (input.properties ?? {}))) return { name: path };
  return readsName ? { filename: basename(path) } : {};
}

async function toText(parameter: string, data: Bytes): Promise<string> {
  const decoded = await decodeText(data);
  if (decoded) return decoded.text;
  throw new CliError(
    EXIT.usage,
    `Parameter "${parameter}": this is a binary file, and only texts are compared.`,
  );
}
