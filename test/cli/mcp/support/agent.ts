import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import type { Runtime } from "../../../support/runtimes.ts";
import { programOf } from "../../../process/support/server.ts";
import { environmentOf } from "../../support/program.ts";

/** What a tool answered. */
export interface Called {
  readonly isError: boolean;
  /** The text that a model reads. */
  readonly text: string;
  readonly facts: {
    readonly error?: string;
    readonly link: string;
    readonly answerLink: string;
    readonly receipt: string;
    readonly untrusted?: Record<string, unknown>;
    readonly [fact: string]: unknown;
  };
}

interface AgentOptions {
  readonly folder: string;
  /** After `hushkit mcp`. */
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** Which revisions of the protocol the client speaks. */
  readonly versions?: "legacy" | "auto";
}

/** An agent: the SDK's own client, which starts the real program and speaks with it. */
export async function startAgent(
  runtime: Runtime,
  { folder, args = [], env = {}, versions = "legacy" }: AgentOptions,
  /** Of several tests together: what ends it then. */
  onFinished: (end: () => Promise<void>) => void = onTestFinished,
) {
  const [command = "", ...own] = programOf(runtime, "cli");
  const transport = new StdioClientTransport({
    command,
    args: [...own, "mcp", ...args],
    cwd: folder,
    env: { ...environmentOf(folder), ...env },
    stderr: "pipe",
  });
  let written = "";
  transport.stderr?.on("data", (data: Buffer) => void (written += data.toString()));
  const client = new Client({ name: "agent", version: "1.0.0" }, { versionNegotiation: { mode: versions } });
  onFinished(() => client.close());
  await client.connect(transport, { timeout: 60_000 }).catch((cause: unknown) => {
    throw new Error(`The program did not answer:\n${written}`, { cause });
  });
  const call = async (name: string, values: Record<string, unknown>): Promise<Called> => {
    const { content, structuredContent, isError } = await client.callTool(
      { name, arguments: values },
      { timeout: 60_000 },
    );
    const [first] = content;
    const text = first?.type === "text" ? first.text : "";
    // What a tool answers is JSON, also where it is an error.
    const facts = (structuredContent ?? JSON.parse(text)) as Called["facts"];
    return { isError: isError ?? false, text, facts };
  };
  return { client, call, stderr: () => written };
}
