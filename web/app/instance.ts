import { signal } from "@preact/signals";
import { ANONYMOUS_LIMITS, DEFAULT_SECRET_SECONDS, MIN_SECRET_SECONDS } from "../../wire/limits.ts";
import type { Client } from "../../client/client.ts";
import { hrefTo } from "./paths/base.ts";

/** What `GET /api/instance` answers; before that, all tools are there. */
type Instance = Omit<Awaited<ReturnType<Client["instance"]["query"]>>, "tools" | "version"> & {
  readonly tools: readonly string[] | undefined;
};

/** One that nobody has changed, until the server has said more; a page that was opened offline never learns more. */
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

/** What this instance is and takes. */
export const instance = signal<Instance>(UNCHANGED);

/** A page does not wait longer for it, and is drawn again when it comes after all. */
const PATIENCE_MS = 800;

/** Asks the server what this instance is; resolves also where it does not answer. */
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
