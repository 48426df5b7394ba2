import type { Database } from "../db/open.ts";
import type { ImageJobs, JobResult, jobs } from "../tools/jobs.ts";
import type { ByteStream } from "../wire/byte-pieces.ts";
import type { JsonText } from "../wire/json/json-text.ts";
import type { ApiError } from "./errors/errors.ts";
import type { Hooks } from "./accounts/hooks.ts";
import type { InstanceKeys } from "./instance-key.ts";
import type { Limits, Tier } from "./limits.ts";
import type { SecurityEvent } from "./meta.ts";
import type { Usage } from "./policy/usage.ts";
import type { Watch } from "./events/watch.ts";

/** Who calls: anyone, or a member by API token or session. */
export type Caller = AnonymousCaller | MemberCaller;

interface AnonymousCaller {
  readonly tier: Extract<Tier, "anonymous">;
  /** The request has the cookie of a session that has ended. */
  readonly hasEndedSession?: true;
}

export interface MemberCaller {
  readonly tier: Extract<Tier, "member">;
  readonly memberId: string;
  readonly memberName: string;
  readonly via: "token" | "session";
  /** Of the token or the session. */
  readonly credentialId: string;
  /** The first characters of the API token. */
  readonly tokenPrefix?: string;
  /** Whether more than a password was proved in the session. */
  readonly isStrong?: boolean;
  /** Whether the session can only replace the password, which an administrator has set. */
  readonly mustChoosePassword?: boolean;
  /** Whether the member administers the instance; never by token. */
  readonly isAdmin?: boolean;
  /** When the member last proved who they are in the session, in unix seconds; undefined by token and by a former value. */
  readonly provedAt?: number | undefined;
  /** Where a young account was made; all that were made there share one member's budgets. */
  readonly origin?: AccountOrigin | undefined;
}

/** The address that an account was made from, as an HMAC only. */
export type AccountOrigin = Uint8Array<ArrayBuffer>;

/** The client's address as limits and usage know it. */
export interface CallerAddress {
  /** What limits count by: IPv4, or an IPv6 /64. */
  readonly rate: string;
  /** The /48 around an IPv6 address, which may do more than the /64 but not without end. */
  readonly site?: string | undefined;
  /** The address with its last part zero, as usage stores it. */
  readonly usage: string;
}

/** The headers that tell who sends a request and from which page; not yet looked up. */
export interface Credential {
  readonly authorization: string | null;
  /** The whole Cookie header. */
  readonly cookie: string | null;
  /** Sec-Fetch-Site, which only a browser writes. */
  readonly fetchSite: string | null;
  readonly origin: string | null;
}

/** For whom work is done. */
export interface Requester {
  /** Account or address: requests of one key are one caller's. */
  readonly caller: string;
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface ImageRequester extends Requester {
  /** Called with the memory, in bytes, that images take, once the worker has read how large they are; throws to end the job. */
  readonly reserve?: (bytes: number) => void;
}

/** Bounds one kind of work: a few at a time, in turns between callers, and no more waiting than is worth a wait. */
export interface Lane {
  /**
   * Runs the work when its turn has come, or never where the requester left before.
   * @throws ApiError overloaded when too much waits already
   */
  readonly run: <Result>(requester: Requester, work: () => Promise<Result>) => Promise<Result>;
}

/** Hashes passwords, slowly and a few at a time. */
export interface Passwords {
  readonly hash: (password: string, requester: Requester) => Promise<string>;
  /**
   * Takes as long for undefined, so that the time does not show whether a member exists. A hash that was made with other
   * costs than new ones are is outdated.
   */
  readonly check: (
    password: string,
    hash: string | undefined,
    requester: Requester,
  ) => Promise<{ isRight: boolean; isOutdated: boolean }>;
}

/** One procedure in the catalogue; keys beyond these describe it further. */
export interface CatalogueEntry {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly path: string;
  readonly methods: string[];
  readonly rpc: string;
  readonly parameters: { readonly name: string }[];
  readonly statuses: number[];
  readonly example: string;
  readonly [more: string]: unknown;
}

/** What the catalogue says to every caller. */
export interface Catalogue {
  readonly tools: CatalogueEntry[];
  readonly endpoints: CatalogueEntry[];
}

/** Whose an instance is, as its operator says it; null where nothing is said. */
export interface Instance {
  readonly name: string;
  /** A line above the pages. */
  readonly notice: string | null;
  /** Where the image is, below the base path. */
  readonly logo: string | null;
  /** URLs. */
  readonly imprint: string | null;
  readonly privacy: string | null;
  /** A mail address, or a URL. */
  readonly contact: string | null;
  readonly version: string;
}

/** The members of a program's users. */
export interface EmbeddedUsers {
  /** The member who makes a request; undefined for nobody. */
  readonly identify: (request: Request, services: Services) => Promise<MemberCaller | undefined>;
  /** A member who is gone is made anew by the next request. */
  readonly forget: (memberId: string) => void;
}

/** What has to come back from the organisation's provider. */
export interface FlowChecks {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** How members log in here. */
interface Login {
  readonly passwords: boolean;
  /** Whether a member who has logged in by a password alone can only set up a second factor. */
  readonly needsSecondFactor: boolean;
  /**
   * So long, in seconds, what the provider has said of a member counts for everything that opens the account; null where
   * other ways stand by themselves.
   */
  readonly confirmedSeconds: number | null;
  /** The organisation's provider. */
  readonly oidc: {
    readonly name: string;
    readonly issuer: string;
    /** Where to send the browser, and what has to come back with it. @throws ApiError oidc_unavailable */
    readonly begin: (
      redirectUri: string,
      options: { isFresh: boolean },
    ) => Promise<{ url: string; checks: FlowChecks }>;
    /** Where to log out of it too, and come back from. */
    readonly logoutUrl: (returnTo: string) => Promise<string | undefined>;
  } | null;
}

/** What every call shares; made once per server. */
export interface Services {
  readonly db: Database;
  /** Unix seconds. */
  readonly now: () => number;
  /** Where the server chooses its port, known when it listens. */
  publicUrl: string;
  /** The path of it, without a slash at its end; "" where there is none. */
  readonly basePath: string;
  readonly registration: "open" | "closed";
  /** The specification's, or what the operator has set. */
  readonly limits: Limits;
  /** Whether a secret needs a passphrase. */
  readonly passphrase: "optional" | "required";
  /** The file tools that there are here, by the names in their paths. */
  readonly tools: ReadonlySet<string>;
  readonly instance: Instance;
  /** How members log in. */
  readonly login: Login;
  /** The users of a program around, where there is one that knows them. */
  readonly embedded?: EmbeddedUsers | undefined;
  /** What callers without an account may start. */
  readonly anonymous: "all" | "secrets" | "tools" | "none";
  /** Null where members can have none. */
  readonly hooks: Hooks | null;
  readonly passwords: Passwords;
  /** For slow derivations: passphrases of secrets beside login passwords, and locked files. */
  readonly lanes: { readonly passwords: Lane; readonly fileLocks: Lane };
  /** Runs a job of tools/ in a worker. Bytes in `args` are given away: they are empty once they were sent. */
  readonly runJob: <Name extends keyof typeof jobs>(
    name: Name,
    args: Parameters<(typeof jobs)[Name]>,
    requester: Requester,
  ) => Promise<JobResult<(typeof jobs)[Name]>>;
  /** Runs a job on images in a worker that has an engine for them, and is given the bytes as well. */
  readonly runImageJob: <Name extends keyof ImageJobs>(
    name: Name,
    args: Parameters<ImageJobs[Name]>,
    requester: ImageRequester,
  ) => Promise<JobResult<ImageJobs[Name]>>;
  readonly catalogue: Catalogue;
  /** Called for every tool call that was admitted, for metrics. */
  readonly onToolCall: (call: { tool: string; succeeded: boolean }) => void;
  /** Counts the same calls in the database. */
  readonly usage: Pick<Usage, "count" | "flush">;
  /** Tells of changes of secrets and requests. */
  readonly watch: Watch;
  /** Called for what an operator may want to alert on. */
  readonly onSecurityEvent: (event: SecurityEvent) => void;
  /** What is derived from the key of the instance, which stands outside the database. */
  readonly keys: InstanceKeys;
  /** A caller's key in the rate limits: an HMAC, so that no address is stored. */
  readonly rateKey: (text: string) => Uint8Array<ArrayBuffer>;
  /** All stored contents together, at most. */
  readonly maxSecretBytes: number;
  /** Whether another `bytes` of stored content fit; a part of the room is for members. */
  readonly claimRoom: (bytes: number, tier: Tier) => Promise<boolean>;
  /** What is stored, or a little more than that; it is read again every half minute at most. */
  readonly storedBytes: () => Promise<number>;
  /** Contents that were claimed and are still kept for their ticket. */
  readonly countDeliveries: () => Promise<number>;
  /** What happened and webhooks or the audit log have not told yet, by sink. */
  readonly countUntold: () => Promise<Record<string, number>>;
  /** Gives back what `claimRoom` has counted and is not stored after all. */
  readonly returnRoom: (bytes: number) => void;
  /** The error behind what a procedure has thrown; a wrong input is explained with the procedure's schema. */
  readonly explainError: (error: unknown, of: { path?: string | undefined; input?: unknown }) => ApiError;
}

/** What one request holds of the server until its answer has been sent; all calls of a batch share it. */
export interface CallBudget {
  /** Counts the request among those that its caller runs at once. @throws ApiError too_many_concurrent */
  readonly claimPlace: () => void;
  /** Counts the request among the streams of events that are open; false where that are too many. */
  readonly claimStream: () => boolean;
  /**
   * Claims so much memory for each byte of the body, as it arrives; what is announced must have a chance to fit.
   * @throws ApiError overloaded, too_many_concurrent, now or while it arrives
   */
  readonly claimBody: (weight: number) => void;
  /**
   * The same for bytes that are known. The largest counts: the calls of a batch run one after the other. Where they do
   * not fit, the request holds no memory any more.
   */
  readonly claimMemory: (bytes: number) => void;
  /** Runs the calls of a batch one after the other, so that it does not exceed a limit by itself. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** One request, over REST or RPC; all calls of a batch share it. */
export interface Context {
  readonly services: Services;
  readonly requestId: string;
  readonly credential: Credential;
  /** Looks the credential up, once. A bad one is refused; the caller never becomes anonymous instead. */
  readonly identify: () => Promise<Caller>;
  /** Who calls, once `identify` has told. */
  readonly caller?: Caller | undefined;
  readonly address: CallerAddress;
  /** What proves that the caller may hear of something, where a URL is no place for it: the header Secret-Proof. */
  readonly proof: string | null;
  /** The Content-Length of the body, if there is one. */
  readonly declaredBytes: number | undefined;
  /** With what a call can be sent again, and be answered as it was first. */
  readonly idempotency: {
    /** The header Idempotency-Key as it was sent. */
    readonly key: string | null;
    /** False in a batch of several calls. */
    readonly isAlone: () => boolean;
    /** The bare text was asked for. */
    readonly isRaw: () => boolean;
  };
  /** Headers for the answer. */
  readonly responseHeaders: Headers;
  /** Parts of the answer that a worker wrote as JSON, and streams; the adapter inserts them. */
  readonly jsonParts: (JsonText | ByteStream)[];
  readonly budget: CallBudget;
}

/** A request whose caller has been identified. */
export type CallerContext = Context & { readonly caller: Caller };
