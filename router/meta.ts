import type { OpenApiMeta } from "trpc-to-openapi";
import type { ZodObject } from "zod";
import type { LoginKind } from "../db/outbox/outbox.ts";
import type { ErrorCode } from "./errors/error-codes.ts";
import type { RateName } from "./limits.ts";

/** How REST reads a procedure's call and writes its answer; RPC needs none of it. */
export interface ServiceHttpMeta {
  /**
   * none: no body; file: raw bytes, with a query; stream: the same while it arrives, possibly empty; upload: the same
   * for a secret; files: JSON or parts; json: a JSON object; fields: JSON or a form; content: the text of a secret;
   * download: fields, and where a delivery continues.
   */
  readonly body: "none" | "file" | "stream" | "upload" | "files" | "json" | "fields" | "content" | "download";
  /** file: bytes or an envelope, by Accept; download: bytes while they are made; json: an object. */
  readonly result: "file" | "download" | "json";
  readonly status?: 201;
  /**
   * The field of the result that `raw=true` or `Accept: text/plain` returns as bare text; `/raw` after the path always
   * does.
   */
  readonly text?: { readonly field: string; readonly by: "raw" | "accept" };
  /** More paths to the same procedure. */
  readonly aliases?: readonly string[];
  readonly alsoGet?: true;
  /** The size of the container of a content: the limit of file sizes applies to what is inside. */
  readonly containerSize?: (contentBytes: number) => number;
  /** JSON texts that may be as large as the caller's files together; long ones arrive as `Utf8Text`. */
  readonly largeTexts?: readonly string[];
  /** Whether one field is as large as the content of a secret. */
  readonly takesContent?: true;
  /** Its answer has an ETag, so that callers who have it already get 304. */
  readonly hasTag?: true;
  /** Nothing in its answer is secret, so it is compressed for callers who accept that. */
  readonly compressed?: true;
  /**
   * For calls that write: how a retry is answered after the first answer was lost. key: the same Idempotency-Key gets
   * the first answer; ticket: the same ticket gets it; idempotent: the call does nothing more; replaces: what it makes
   * replaces what it made first; ended: 401, because the first call has ended its login.
   */
  readonly retry?: "key" | "ticket" | "idempotent" | "replaces" | "ended";
  /** In a browser only this service's own pages may call it: no CORS. */
  readonly ownPagesOnly?: true;
  /** It may set or clear the session's cookie: over RPC, a batch with it is answered when all of its calls are done. */
  readonly setsHeaders?: true;
}

export interface ToolMeta {
  readonly name: string;
  readonly title: string;
  /** Media types of the result when it is a file. */
  readonly types?: readonly string[] | undefined;
  /** Bytes of memory per byte of the body while the tool works. */
  readonly weight: number;
  /** The call that had this weight, and its result (`npm run bench -- weigh`). */
  readonly measured: string;
}

/** What an operator may want an alert for. It names no account, address or credential. */
export type SecurityEvent =
  | "login_failed"
  | "login_locked"
  | "recovery_failed"
  | "password_wrong"
  | "token_revoked"
  | "token_refused"
  | "oidc_refused"
  | "account_added"
  | "account_reset"
  | "account_deleted"
  | "account_disabled"
  | "account_enabled"
  | "role_changed"
  | "key_rotated"
  | "admin_refused";

/** What a call reports besides its answer. */
interface CallMeta {
  /** Security events by its outcomes. */
  readonly events?: Readonly<Partial<Record<ErrorCode | "ok", SecurityEvent>>>;
  /** The name in the audit log of a call that changes no row. */
  readonly reads?: `admin.${string}`;
  /** The kind of login, where it is not a password. */
  readonly loginBy?: LoginKind;
  /**
   * Examples for the document, where a field's name is not enough (router/procedures/examples.ts): for a field by its
   * schema, "Input.name" or "ResultStats.equal", and for a bare text by the ending of its operation, "raw". An optional
   * field is shown only where it is listed here.
   */
  readonly examples?: Readonly<Record<string, unknown>>;
}

export type Meta = OpenApiMeta<
  CallMeta & {
    http?: ServiceHttpMeta;
    tool?: ToolMeta;
    /** Error statuses besides those that `statusesOf` finds by itself. */
    errors?: readonly number[];
    /** The rate that its calls count in. */
    rate?: RateName;
    /** Who may call it, when not everybody: members, members with a session, or administrators. */
    access?: "member" | "session" | "admin";
    /** A part of this service's own logins, which an embedding program replaces where it knows its users. */
    ownLogin?: true;
  }
>;

type Method = "GET" | "POST" | "DELETE";

interface OperationText {
  readonly summary: string;
  readonly description: string;
  readonly errors?: readonly number[];
}

/** The meta of a file tool: `POST /api/tools/<name>`. */
export function toolMeta({
  name,
  title,
  types,
  weight,
  measured,
  summary,
  description,
  errors = [],
  examples = {},
  ...http
}: OperationText &
  ToolMeta &
  Pick<CallMeta, "examples"> &
  Omit<ServiceHttpMeta, "status" | "aliases" | "ownPagesOnly" | "setsHeaders">): Meta {
  const tool = { name, title, weight, measured, types };
  return {
    openapi: { method: "POST", path: `/api/tools/${name}`, summary, description, tags: ["tools"] },
    http,
    tool,
    errors,
    examples,
  };
}

interface EndpointOptions
  extends OperationText, CallMeta, Partial<Omit<ServiceHttpMeta, "ownPagesOnly" | "setsHeaders">> {
  /** The header that proves that the caller may ask. */
  readonly proof?: ZodObject;
}

/** The meta of an endpoint for secrets, which pages of other origins may call too. */
export function secretMeta(method: Method, path: `/${string}`, options: EndpointOptions): Meta {
  return endpointMeta({ method, path, tag: "secrets", options });
}

/** The meta of an endpoint whose answer is the same for everybody. */
export function publicMeta(path: `/${string}`, options: EndpointOptions): Meta {
  return endpointMeta({ method: "GET", path, tag: "instance", options });
}

/** The meta of an account's endpoint, which in a browser only this service's own pages may call. */
export function accountMeta(method: Method, path: `/${string}`, options: EndpointOptions): Meta {
  const told = { ...options, events: { ...PROOF_REFUSED, ...options.events } };
  return endpointMeta({ method, path, tag: "account", options: told, ...OWN_PAGES });
}

/** The meta of an account's endpoint that belongs to this service's own logins. */
export function loginMeta(...args: Parameters<typeof accountMeta>): Meta {
  return { ...accountMeta(...args), ownLogin: true };
}

/** Whoever is at a member's browser does not know the password, or has no code. */
const PROOF_REFUSED = { password_wrong: "password_wrong", second_factor_wrong: "password_wrong" } as const;
/** The same, or somebody else tries. */
const ADMIN_REFUSED = { ...PROOF_REFUSED, admin_required: "admin_refused" } as const;

/** The meta of an endpoint for administrators, for this service's own pages too. */
export function adminMeta(method: Method, path: `/${string}`, options: EndpointOptions): Meta {
  const told = { ...options, events: { ...ADMIN_REFUSED, ...options.events } };
  return endpointMeta({ method, path, tag: "admin", options: told, ...OWN_PAGES });
}

const OWN_PAGES = { ownPagesOnly: true, setsHeaders: true } as const;

interface Endpoint extends Pick<ServiceHttpMeta, "ownPagesOnly" | "setsHeaders"> {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly tag: string;
  readonly options: EndpointOptions;
}

function endpointMeta({ method, path, tag, options, ...own }: Endpoint): Meta {
  const { summary, description, errors = [], events = {}, reads, loginBy, examples = {}, ...more } = options;
  const { proof, ...http } = more;
  const openapi = { method, path, summary, description, tags: [tag] };
  return {
    openapi: { ...openapi, ...(proof && { requestHeaders: proof }) },
    http: { body: "none", result: "json", ...http, ...own },
    errors,
    events,
    examples,
    ...(reads && { reads }),
    ...(loginBy && { loginBy }),
  };
}

/** Every error status of a procedure: its own, and those that follow from body, parameters and access. */
export function statusesOf({ http, access, rate, errors = [] }: Meta, names: readonly string[]): number[] {
  // Without a credential it needs neither the caller nor the database.
  if (rate === undefined) return [...errors, 401, 429, 500, 503];
  const hasBody = http !== undefined && http.body !== "none";
  const hasInput = hasBody || names.length > 0;
  const isGuarded = access !== undefined || http?.ownPagesOnly;
  return [
    ...new Set([
      ...(hasInput ? [400] : []),
      // Every procedure refuses a bad credential, and many bad ones from one address.
      401,
      ...(isGuarded ? [403] : []),
      ...(hasBody ? [413, 415] : []),
      ...(http?.retry === "key" ? [409, 422] : []),
      ...errors,
      429,
      500,
      // Every procedure needs the database, if only for a limit.
      503,
    ]),
  ].sort((a, b) => a - b);
}
