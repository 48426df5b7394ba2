// What the package hushkit offers: the server as a part of another program.
import { readConfig, type Config } from "./adapters/config/config.ts";
import { openService } from "./service.ts";

/** The settings of docs/operations.md, each with the default that it has there. */
export interface ServerOptions {
  /** What links begin with. A path in it is the base path of everything. */
  readonly publicUrl: string;
  /** The path of a SQLite file, or postgres://… */
  readonly databaseUrl?: string;
  /** Whose X-Forwarded-For is believed: a number of proxies, or their networks. */
  readonly trustProxy?: number | string;
  readonly registration?: "open" | "closed";
  readonly anonymous?: "all" | "secrets" | "tools" | "none";
  readonly receiptDays?: number;
  readonly usageDays?: number;
  /** In bytes, or as "40%" or "2GiB". */
  readonly memoryBudget?: number | string;
  readonly workers?: number;
  readonly workSeconds?: number;
  readonly maxSecretBytes?: number | string;
  readonly logLevel?: "error" | "warn" | "info";
  /** Takes each line of the log, which is JSON; without it nothing is logged. */
  readonly write?: (line: string) => void;
}

interface HushkitServer {
  /**
   * Answers a request to the public URL. The address of the caller, which rates are counted by, is `request.ip`
   * where the program around has one (srvx, h3), else the second argument's.
   */
  readonly fetch: (request: Request, caller?: { readonly address: string }) => Promise<Response>;
  /** Closes the database and stops the workers. What still runs is not waited for. */
  readonly close: () => Promise<void>;
}

/** Opens a server that does not listen. @throws Error naming each option that is wrong, as its setting */
export async function createServer({ write = () => {}, ...options }: ServerOptions): Promise<HushkitServer> {
  const service = await openService(configOf(options), { buildPages: false, write });
  return {
    fetch: async (request, caller) => service.app.fetch(caller ? withAddress(request, caller) : request),
    close: service.close,
  };
}

function withAddress(request: Request, { address }: { address: string }): Request {
  return Object.defineProperty(request, "ip", { value: address });
}

// The environment says the same in capitals: publicUrl is PUBLIC_URL.
function configOf(options: Omit<ServerOptions, "write">): Config {
  const variables = Object.entries(options).map(([name, value]) => [
    name.replace(/[A-Z]/g, "_$&").toUpperCase(),
    value === undefined ? undefined : String(value),
  ]);
  return readConfig(Object.fromEntries(variables));
}
