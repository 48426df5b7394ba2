import type { PackedFailure } from "../../wire/tool-failure.ts";
import type { PageJobs } from "./jobs.ts";

/** To a worker. */
export interface JobRequest {
  readonly name: keyof PageJobs;
  readonly args: readonly unknown[];
}

/** From a worker, the last one being no progress. */
export type JobReply =
  | { readonly progress: number }
  | { readonly result: unknown }
  | { readonly failure: PackedFailure }
  | { readonly error: { name: string; message: string } };
