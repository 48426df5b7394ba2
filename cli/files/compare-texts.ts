import type { Granularity, IgnoredWhitespace, TextComparison } from "../../tools/text-compare.ts";
import { connectChosen } from "../server/connect.ts";
import type { Io } from "../terminal/io.ts";

export interface TextOptions {
  readonly granularity: Granularity;
  readonly format: "json" | "unified";
  readonly ignoreCase: boolean;
  readonly ignoreWhitespace: IgnoredWhitespace;
  readonly ignoreBlankLines: boolean;
  readonly moved: boolean;
  readonly context: number;
  readonly nameA?: string;
  readonly nameB?: string;
}

export type CompareTexts = (
  texts: { readonly a: string; readonly b: string },
  options: TextOptions,
) => Promise<TextComparison>;

/** Compares on this machine, or on the chosen server. */
export async function comparerOf(io: Io, { server }: { server: boolean | undefined }): Promise<CompareTexts> {
  if (!server) return (await import("../../tools/text-compare.ts")).compareTexts;
  const { tools } = await connectChosen(io);
  // The schema of the API lists the keys of all three kinds of answer; each kind is one of the tool's.
  return async (texts, options) =>
    (await tools.textCompare.mutate({ ...texts, ...options })) as TextComparison;
}
