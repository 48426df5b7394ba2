import type { Database } from "../db/open.ts";
import type { ImageJobs, JobResult, jobs } from "../tools/entries/jobs.ts";
import type { ByteStream } from "../wire/byte-pieces.ts";
import type { JsonText } from "../wire/json/json-text.ts";
import type { ApiError } from "./errors/errors.ts";
import type { Hooks } from "./accounts/hooks.ts";
import type { InstanceKeys } from "./instance-key.ts";
import type { Limits, Tier } from "./limits.ts";
import type { SecurityEvent } from "./meta.ts";
import type { Usage } from "./policy/usage.ts";
import type { Watch } from "./events/watch.ts";

/** The caller: anonymous, or a member by API token or session. */
export type Caller = AnonymousCaller | MemberCaller;

interface AnonymousCaller {
  readonly tier: Extract<Tier, "anonymous">;
  /** The request carries the cookie of a session that has ended. */
  readonly hasEndedSession?: true;
}

export interface MemberCaller {
  readonly tier: Extract<Tier, "member">;
  readonly memberId: string;
  readonly memberName: string;
  readonly via: "token" | "session";
  /** The id of the token or session. */
  readonly credentialId: string;
  /** The first characters of the API token. */
  readonly tokenPrefix?: string;
  /** Whether the session's proof was more than a password. */
  readonly isStrong?: boolean;
  /** Whether the session can only replace a password that an administrator has set. */
  readonly mustChoosePassword?: boolean;
  /** Whether the member administers the instance; never by token. */
  readonly isAdmin?: boolean;
  /** When the member last gave a proof in the session, in unix seconds; undefined by token or former cookie. */
  readonly provedAt?: number | undefined;
  /** Where a young account was created; all from the same place share one member's budgets. */
  readonly origin?: AccountOrigin | undefined;
}

/** The address from which an account was created, as an HMAC only. */
export type AccountOrigin = Uint8Array<ArrayBuffer>;

/** The client's address for limits and usage. */
export interface CallerAddress {
  /** The address that limits count by: IPv4, or an IPv6 /64. */
  readonly rate: string;
  /** The /48 around an IPv6 address, which has a higher limit than the /64. */
  readonly site?: string | undefined;
  /** The address with its last part set to zero, as usage stores it. */
  readonly usage: string;
}

/** The headers that tell who sends a request and from which page; not checked yet. */
export interface Credential {
  readonly authorization: string | null;
  /** The whole Cookie header. */
  readonly cookie: string | null;
  /** Sec-Fetch-Site, which only browsers write. */
  readonly fetchSite: string | null;
  readonly origin: string | null;
}

/** The caller for whom work is done. */
export interface Requester {
  /** Account or address: requests with the same key are of the same caller. */
  readonly caller: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface ImageRequester extends Requester {
  /** Called with the memory, in bytes, that images take, once the worker knows their sizes; throws to end the job. */
  readonly reserve?: (bytes: number) => void;
}

/** Limits one kind of work: a few at a time, in turn between callers, with a short queue. */
export interface Lane {
  /**
   * Runs the work when it is its turn, or never where the requester leaves before.
   * @throws ApiError overloaded when the queue is too long
   */
  readonly run: <Result>(requester: Requester, work: () => Promise<Result>) => Promise<Result>;
}

/** Hashes passwords, slowly and a few at a time. */
export interface Passwords {
  readonly hash: (password: string, requester: Requester) => Promise<string>;
  /**
   * Takes as long for undefined, so that the time does not reveal whether a member exists. A hash with other costs than
   * new ones is outdated.
   */
  readonly check: (
    password: string,
    hash: string | undefined,
    requester: Requester,
  ) => Promise<{ isRight: boolean; isOutdated: boolean }>;
}

/** One procedure in the catalogue, with further keys. */
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

/** The part of the catalogue that is the same for every caller. */
export interface Catalogue {
  readonly tools: CatalogueEntry[];
  readonly endpoints: CatalogueEntry[];
}

/** Who runs the instance, as the operator describes it; null where nothing is set. */
export interface Instance {
  readonly name: string;
  /** A line shown above the pages. */
  readonly notice: string | null;
  /** The image's path below the base path. */
  readonly logo: string | null;
  /** URLs. */
  readonly imprint: string | null;
  readonly privacy: string | null;
  /** A URL, often mailto:. */
  readonly contact: string | null;
  readonly version: string;
}

/** The members that stand for an embedding program's users. */
export interface EmbeddedUsers {
  /** The member who makes a request; undefined for nobody. */
  readonly identify: (request: Request, services: Services) => Promise<MemberCaller | undefined>;
  /** A deleted member is created again by the next request. */
  readonly forget: (memberId: string) => void;
}

/** The values that must come back from the organization's provider. */
export interface FlowChecks {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier (RFC 7636). */
  readonly verifier: string;
}

/** How members log in at this instance. */
interface Login {
  readonly passwords: boolean;
  /** Whether a member who has logged in by a password alone may only set up a second factor. */
  readonly needsSecondFactor: boolean;
  /**
   * How long, in seconds, a provider's confirmation of a member counts for the account's other ways in; null where
   * those do not depend on it.
   */
  readonly confirmedSeconds: number | null;
  /** The organization's provider. */
  readonly oidc: {
    readonly name: string;
    readonly issuer: string;
    /** Where to send the browser, and what must come back with it. @throws ApiError oidc_unavailable */
    readonly begin: (
      redirectUri: string,
      options: { isFresh: boolean },
    ) => Promise<{ url: string; checks: FlowChecks }>;
    /** The address to log out at the provider too and return from. */
    readonly logoutUrl: (returnTo: string) => Promise<string | undefined>;
  } | null;
}

/** What all calls share; made once per server. */
export interface Services {
  readonly db: Database;
  /** Unix seconds. */
  readonly now: () => number;
  /** Without a fixed port it is known only when the server listens. */
  publicUrl: string;
  /** Its path without a slash at the end; "" where there is none. */
  readonly basePath: string;
  readonly registration: "open" | "closed";
  /** The default limits, or the operator's. */
  readonly limits: Limits;
  /** Whether a secret needs a passphrase. */
  readonly passphrase: "optional" | "required";
  /** The file tools that this instance offers, by the names in their paths. */
  readonly tools: ReadonlySet<string>;
  readonly instance: Instance;
  /** How members log in. */
  readonly login: Login;
  /** The users of an embedding program that knows them. */
  readonly embedded?: EmbeddedUsers | undefined;
  /** What callers without an account may use. */
  readonly anonymous: "all" | "secrets" | "tools" | "none";
  /** Null where members can have none. */
  readonly hooks: Hooks | null;
  readonly passwords: Passwords;
  /** For slow key derivations: passwords and passphrases, and locked files. */
  readonly lanes: { readonly passwords: Lane; readonly fileLocks: Lane };
  /** Runs a job of tools/ in a worker. Bytes in `args` are transferred and empty afterwards. */
  readonly runJob: <Name extends keyof typeof jobs>(
    name: Name,
    args: Parameters<(typeof jobs)[Name]>,
    requester: Requester,
  ) => Promise<JobResult<typeof jobs, Name>>;
  /** Runs an image job in a worker with an image engine; the bytes are transferred too. */
  readonly runImageJob: <Name extends keyof ImageJobs>(
    name: Name,
    args: Parameters<ImageJobs[Name]>,
    requester: ImageRequester,
  ) => Promise<JobResult<ImageJobs, Name>>;
  readonly catalogue: Catalogue;
  /** Called for every admitted tool call, for metrics. */
  readonly onToolCall: (call: { tool: string; succeeded: boolean }) => void;
  /** Counts the same calls in the database. */
  readonly usage: Pick<Usage, "count" | "flush">;
  /** Reports changes of secrets and requests. */
  readonly watch: Watch;
  /** Called for what an operator may want an alert for. */
  readonly onSecurityEvent: (event: SecurityEvent) => void;
  /** Keys derived from the instance's key, which is stored outside the database. */
  readonly keys: InstanceKeys;
  /** The key by which limits count a caller: an HMAC, so that no address is stored. */
  readonly rateKey: (text: string) => Uint8Array<ArrayBuffer>;
  /** The most that all stored contents may have together. */
  readonly maxSecretBytes: number;
  /** Whether another `bytes` of stored content fit; a part of the room is for members. */
  readonly claimRoom: (bytes: number, tier: Tier) => Promise<boolean>;
  /** The stored bytes, or slightly more; read again at most every half minute. */
  readonly storedBytes: () => Promise<number>;
  /** How many claimed contents are still kept for their tickets. */
  readonly countDeliveries: () => Promise<number>;
  /** How many events are pending, by sink. */
  readonly countPendingEvents: () => Promise<Record<string, number>>;
  /** Gives back what `claimRoom` has counted but was not stored. */
  readonly returnRoom: (bytes: number) => void;
  /** The error behind what a procedure threw; a wrong input is explained with the procedure's schema. */
  readonly explainError: (
    error: unknown,
    of: { path?: string | undefined; input?: unknown; ctx?: Pick<Context, "caller"> },
  ) => ApiError;
}

/** What a request holds of the server until its answer is sent; shared by all calls of a batch. */
export interface CallBudget {
  /** Counts the request among its caller's concurrent ones. @throws ApiError too_many_concurrent */
  readonly claimPlace: () => void;
  /** Counts the request among the open event streams; false where there are too many. */
  readonly claimStream: () => boolean;
  /**
   * Claims so much memory per byte of the body, as it arrives; a declared size must have a chance to fit.
   * @throws ApiError overloaded, too_many_concurrent, now or while it arrives
   */
  readonly claimBody: (weight: number) => void;
  /**
   * The same for known bytes. The largest claim counts, since the calls of a batch run one after the other. Where they
   * do not fit, the request holds no memory any more.
   */
  readonly claimMemory: (bytes: number) => void;
  /** Runs the calls of a batch one after the other, so that a batch does not exceed a limit by itself. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** One request over REST or RPC; shared by all calls of a batch. */
export interface Context {
  readonly services: Services;
  readonly requestId: string;
  readonly credential: Credential;
  /** Looks up the credential, once. A bad one is refused; its caller never becomes anonymous instead. */
  readonly identify: () => Promise<Caller>;
  /** The caller, once `identify` has run. */
  readonly caller?: Caller | undefined;
  readonly address: CallerAddress;
  /** The header Secret-Proof, which proves that the caller may watch something: a URL is no place for it. */
  readonly proof: string | null;
  /** The Content-Length of the body, if there is one. */
  readonly declaredBytes: number | undefined;
  /** What makes a call repeatable with the same answer. */
  readonly idempotency: {
    /** The header Idempotency-Key as it was sent. */
    readonly key: string | null;
    /** False in a batch of several calls. */
    readonly isAlone: () => boolean;
    /** Whether the bare text was asked for. */
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
