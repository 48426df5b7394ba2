import type { Route } from "../trpc/request.ts";
import type { ServiceContext } from "./request-context.ts";

/** One row in the table of what the service answers. */
export interface ServiceRoute extends Route<ServiceContext> {
  /** What log and metrics call it instead of its path. */
  readonly label?: string;
  /** Whether a page of another origin may call it; behind one path of RPC are many procedures. */
  readonly cors?: boolean | ((url: URL) => boolean);
  /** Whether it is a file tool, of which no line is logged. */
  readonly isTool?: boolean | ((url: URL) => boolean);
  /** Answers while the server ends. */
  readonly whileDraining?: true;
}
