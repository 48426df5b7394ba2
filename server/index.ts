// The entry of the package hushkit: the server as a part of another program.
import { ConfigError, readConfig } from "../adapters/config/config.ts";
import {
  allVariables,
  camelCase,
  type Config,
  type embeddedVariables,
  type SettingOptions,
} from "../adapters/config/settings.ts";
import type { WebhookEvent } from "../adapters/operations/outbox/deliver.ts";
import { openService } from "./open.ts";

/** A user of the embedding program, who is a member here. */
export interface EmbeddedUser {
  /** Never changes for the same user; 1 to 256 characters. */
  readonly id: string;
  /** The user name or mail address to show, where it is free. */
  readonly name?: string;
  /** Whether this request comes from an administrator of the instance. */
  readonly isAdmin?: boolean;
}

/** The limits of docs/operations.md: sizes in bytes or as "40MB", lifetimes as "7d". */
export type EmbeddedLimits = SettingOptions<ReturnType<typeof embeddedVariables>["limits"]>;

/** The settings of docs/operations.md in camel case, each with the default that it has there. */
export interface ServerOptions extends SettingOptions<ReturnType<typeof embeddedVariables>["settings"]> {
  readonly publicUrl: string;
  readonly limits?: EmbeddedLimits;
  /** Called with each line of the log, which is JSON; without it nothing is logged. */
  readonly log?: (line: string) => void;
  /**
   * Tells who makes a request, by the embedding program's own sessions: a member, or nobody. It gets the request
   * without its body, and is not called for requests from pages of other sites. Passwords, passkeys and our own
   * sessions are 404 then; API tokens go on working. A call that it delays for ten seconds is 503.
   */
  readonly authenticate?: (request: Request) => Promise<EmbeddedUser | undefined> | EmbeddedUser | undefined;
  /** Called at least once for each event of docs/webhooks.md; if it throws, it is called again later. */
  readonly onEvent?: (event: WebhookEvent) => Promise<void> | void;
}

interface HushkitServer {
  /**
   * Answers a request to the public URL. Rates are counted by the caller's address: `request.ip` where the embedding
   * program sets it (srvx, h3), else that of the second argument.
   */
  readonly fetch: (request: Request, caller?: { readonly address: string }) => Promise<Response>;
  /** Names parts that do not work, such as "database"; empty when all is well. */
  readonly failing: () => Promise<readonly string[]>;
  /** From now on every new call is 503, while running calls finish: some seconds before `close`. */
  readonly drain: () => void;
  /** Closes the database and stops the workers, without waiting for running calls. */
  readonly close: () => Promise<void>;
}

/** Opens a server that does not listen. @throws Error naming each option that is wrong */
export async function createServer(options: ServerOptions): Promise<HushkitServer> {
  const { log = () => {}, authenticate, onEvent, ...settings } = options;
  const config = configOf(settings);
  const service = await openService(config, { buildPages: false, write: log, authenticate, onEvent });
  return {
    fetch: async (request, caller) => service.app.fetch(caller ? withAddress(request, caller) : request),
    failing: () => service.health.failing(),
    drain: () => service.health.startDraining(),
    close: service.close,
  };
}

function withAddress(request: Request, { address }: { address: string }): Request {
  return Object.defineProperty(request, "ip", { value: address });
}

// The environment has the same names in capitals: publicUrl is PUBLIC_URL.
function configOf({ limits, ...options }: Omit<ServerOptions, "log" | "authenticate" | "onEvent">): Config {
  const given = Object.entries({ ...options, ...limits }).filter(([, value]) => value !== undefined);
  const known = Object.keys(allVariables()).map((name) => [camelCase(name), name] as const);
  const unknown = given.map(([name]) => name).filter((name) => !known.some(([each]) => each === name));
  if (unknown.length > 0) {
    const list = [...OWN_OPTIONS, ...known.map(([name]) => name)].join(", ");
    throw new ConfigError(`There is no option ${unknown.join(", ")}; the options are ${list}.`);
  }
  if (options.publicUrl === undefined) throw new ConfigError("The option publicUrl must be set.");
  const names = new Map(known);
  return readConfig(Object.fromEntries(given.map(([name, value]) => [names.get(name), String(value)])));
}

const OWN_OPTIONS = ["limits", "log", "authenticate", "onEvent"];
