import { signal } from "@preact/signals";
import { ANONYMOUS_LIMITS, DEFAULT_SECRET_SECONDS, MIN_SECRET_SECONDS } from "../../wire/limits.ts";
import type { Client } from "../../client/client.ts";
import { hrefTo } from "./paths/base.ts";

/** The answer of `GET /api/instance`; before it arrives, all tools are offered. */
type Instance = Omit<Awaited<ReturnType<Client["instance"]["query"]>>, "tools" | "version"> & {
  readonly tools: readonly string[] | undefined;
};

/** An instance with default settings, until the server has answered; a page opened offline never learns more. */
const UNCHANGED: Instance = {
  name: "Hushkit",
  notice: null,
  logo: null,
  imprint: null,
  privacy: null,
  contact: null,
  registration: "open",
  anonymous: "all",
  login: ["password"],
  oidc: null,
  passphrase: "optional",
  tools: undefined,
  limits: {
    secretLength: ANONYMOUS_LIMITS.secretCharacters,
    secretFileSize: ANONYMOUS_LIMITS.fileSize,
    secretExpires: ANONYMOUS_LIMITS.secretSeconds,
    secretExpiresDefault: DEFAULT_SECRET_SECONDS,
    secretExpiresMinimum: MIN_SECRET_SECONDS,
    secretExpiresAllowed: null,
  },
};

/** The settings of this instance. */
export const instance = signal<Instance>(UNCHANGED);

/** A page waits no longer for it, and is drawn again when it arrives later. */
const PATIENCE_MS = 800;

/** Loads the settings of this instance; resolves also where the server does not answer. */
export async function loadInstance(): Promise<void> {
  const asked = ask().catch(() => undefined);
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

async function ask(): Promise<void> {
  if (!navigator.onLine) return;
  const response = await fetch(hrefTo("/api/instance"));
  // The server's own schema has checked it.
  if (response.ok) instance.value = (await response.json()) as Instance;
}
