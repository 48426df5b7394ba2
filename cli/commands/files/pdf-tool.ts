import type { Command, OptionValues } from "@commander-js/extra-typings";
import type { Client } from "../../../client/client.ts";
import type { RESULT_STEMS } from "../../../tools/file/derived-name.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { shared } from "../../definition.ts";
import { readInput } from "../../files/input.ts";
import { besideInput, resultPath } from "../../files/output.ts";
import { checkResult, describeFile, finishFile, type DescribedFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { tryWithPassword } from "../../terminal/passwords.ts";

/** Adds the options that all PDF tools share, after each tool's own. */
export function withPdfOptions<Args extends unknown[], Own extends OptionValues>(
  command: Command<Args, Own>,
) {
  return command
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .addOption(shared.json());
}

type Tools = Client["tools"];

interface MadePdf {
  readonly bytes: Bytes;
  /** "application/pdf" where it is absent. */
  readonly type?: string;
  readonly warnings: readonly ToolWarning[];
}

interface Result {
  /** The tool's name in the API. */
  readonly tool: keyof typeof RESULT_STEMS;
  readonly extension?: "pdf" | "zip";
  readonly output?: string | undefined;
  readonly force?: true | undefined;
  readonly json?: true | undefined;
}

/** Writes a result beside its input, or where -o says. Checks that it can be written before the work begins. */
export async function makeBeside(
  io: Io,
  input: string,
  { make, output, force, json, tool, extension = "pdf" }: Result & { make: () => Promise<DescribedFile> },
): Promise<void> {
  const { RESULT_STEMS: stems } = await import("../../../tools/file/derived-name.ts");
  const beside = besideInput(input, { suffix: `-${stems[tool]}`, extension });
  const path = await resultPath(io, output, beside);
  await checkResult(io, { path, force, json });
  await finishFile(io, { path, force, json, result: await make() });
}

/** Runs a tool on this machine or, with --server, on the server. */
export async function runTool(
  io: Io,
  of: {
    readonly tool: string;
    readonly server?: true | undefined;
    readonly fileCount?: number;
    readonly here: () => Promise<MadePdf>;
    readonly there: (tools: Tools) => Promise<DescribedFile>;
  },
): Promise<DescribedFile> {
  const { tool, server, fileCount, here, there } = of;
  if (server) return there((await connectChosen(io)).tools);
  const { bytes: data, type = "application/pdf", ...extras } = await here();
  return describeFile({ tool, type, data }, extras, fileCount);
}

/** Makes a file of one PDF, and asks for its password if it has one. */
export function workOnPdf<Options>(
  io: Io,
  file: string,
  of: Result & {
    readonly server?: true | undefined;
    readonly passwordFd?: number | undefined;
    readonly options: (password: string | undefined) => Options;
    readonly here: (pdf: Bytes, options: Options) => Promise<MadePdf>;
    readonly there: (tools: Tools, input: Options & { file: Bytes }) => Promise<DescribedFile>;
  },
): Promise<void> {
  const { tool, server, passwordFd, options, here, there } = of;
  const make = async () => {
    const pdf = await readInput(io, file);
    const work = (password?: string) => {
      const given = options(password);
      return runTool(io, {
        tool,
        server,
        here: () => here(pdf, given),
        there: (tools) => there(tools, { ...given, file: pdf }),
      });
    };
    return tryWithPassword(io, { question: `Password of ${file}`, passwordFd }, work);
  };
  return makeBeside(io, file, { ...of, make });
}
