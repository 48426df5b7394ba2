import type { RequestContext } from "../../trpc/adapter.ts";
import { readFileSync, statSync } from "node:fs";
import { FastResponse } from "srvx";
import type { Instance, Services } from "../../../router/context.ts";
import { ConfigError, fileError } from "../../config/config.ts";
import type { Config } from "../../config/settings.ts";
import { VERSION } from "../../operations/version.ts";
import type { Route } from "../../trpc/request.ts";

/** The instance's image, in memory. */
export interface Logo {
  readonly type: "image/svg+xml; charset=utf-8" | "image/png";
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const LOGO = "/instance/logo";
const MAX_LOGO_BYTES = 64 * 1024;

/** The public facts of the instance. */
export function describeInstance(config: Config, logo: Logo | undefined): Instance {
  return {
    name: config.instanceName,
    notice: config.instanceNotice ?? null,
    logo: logo ? LOGO : null,
    imprint: config.imprintUrl ?? null,
    privacy: config.privacyUrl ?? null,
    contact: config.contact ?? null,
    version: VERSION,
  };
}

/** Reads the instance's image. @throws ConfigError in a sentence, for anything else */
export function readLogo(path: string | undefined): Logo | undefined {
  if (path === undefined) return undefined;
  const bytes = readSmallFile(path);
  if (PNG.every((byte, index) => bytes[index] === byte)) return { type: "image/png", bytes };
  const text = new TextDecoder().decode(bytes);
  if (!/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<svg[\s>]/.test(text)) throw notAnImage();
  if (ACTIVE.test(text)) {
    const what = "must have no script, no event, no foreign object, no entity and no link to elsewhere";
    throw new ConfigError(`INSTANCE_LOGO ${what}.`);
  }
  return { type: "image/svg+xml; charset=utf-8", bytes };
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

// Browsers run none of it in an image, and the policy at its own address forbids it. Still it must be a mistake, which
// the operator should hear of.
const ACTIVE =
  /<\s*(?:\w+:)?(?:script|foreignObject|iframe|embed|object|handler|set|animate\w*)\b|<!ENTITY|<!DOCTYPE|\son\w+\s*=|javascript:|\bhref\s*=\s*["']?\s*(?!["']?#|["']?data:image\/png)[^"'\s>]/i;

function readSmallFile(path: string): Uint8Array<ArrayBuffer> {
  try {
    if (statSync(path).size <= MAX_LOGO_BYTES) return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw fileError("INSTANCE_LOGO cannot be read", error);
  }
  throw new ConfigError(`INSTANCE_LOGO must have at most ${MAX_LOGO_BYTES} bytes.`);
}

function notAnImage(): ConfigError {
  return new ConfigError("INSTANCE_LOGO must be an SVG or a PNG.");
}

const IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
/** RFC 9116 wants less than a year. */
const CONTACT_SECONDS = 180 * 86_400;

/** The instance's image, and whom to contact (RFC 9116), where it has them. */
export function instanceRoutes(services: Services, logo: Logo | undefined): Route[] {
  const { contact } = services.instance;
  return [
    ...(logo ? [get(LOGO, (context) => send(context, logo.type, logo.bytes))] : []),
    ...(contact === null
      ? []
      : [
          get("/.well-known/security.txt", (context) => {
            const expires = new Date((services.now() + CONTACT_SECONDS) * 1000).toISOString();
            const canonical = `${services.publicUrl}/.well-known/security.txt`;
            const body = `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${canonical}\n`;
            return send(context, "text/plain; charset=utf-8", body);
          }),
        ]),
  ];
}

function get(path: string, handle: Route["handle"]): Route {
  return { method: "GET", path, handle };
}

function send(context: RequestContext, type: string, body: string | Uint8Array<ArrayBuffer>): Response {
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", type);
  headers.set("Content-Security-Policy", IMAGE_POLICY);
  headers.set("Cross-Origin-Resource-Policy", "cross-origin");
  headers.set("Cache-Control", "public, max-age=300");
  return new FastResponse(body, { headers });
}
