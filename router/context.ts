import type { z } from "zod";
import type { Database } from "../db/open.ts";
import type { ImageCodec } from "../tools/image-convert.ts";
import type { RunJob } from "../tools/jobs.ts";
import type { JsonText } from "../wire/json-text.ts";
import type { Tier } from "./limits.ts";

/** Who calls: everybody, or a member by an API token or a browser login. */
export type Caller = AnonymousCaller | MemberCaller;

export interface AnonymousCaller {
  readonly tier: Extract<Tier, "anonymous">;
  /** The browser still sends the cookie of a session that has ended. */
  readonly hasEndedSession?: true;
}

export interface MemberCaller {
  readonly tier: Extract<Tier, "member">;
  readonly memberId: string;
  readonly memberName: string;
  readonly via: "token" | "session";
  /** Of the token or the session. */
  readonly credentialId: string;
}

/** What a request says of who sends it and from which page, not yet looked up. */
export interface Credential {
  readonly authorization: string | null;
  /** The whole Cookie header. */
  readonly cookie: string | null;
  /** Sec-Fetch-Site, which only a browser writes. */
  readonly fetchSite: string | null;
  readonly origin: string | null;
}

/** Lets only so many pieces of heavy work run at a time. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Hashes passwords slowly, a few at a time. */
export interface Passwords {
  readonly hash: (password: string) => Promise<string>;
  /** Costs the same for a member and, given undefined, for nobody. */
  readonly check: (password: string, hash: string | undefined) => Promise<PasswordCheck>;
}

export interface PasswordCheck {
  readonly isRight: boolean;
  /** The hash was made at another cost than new ones are. */
  readonly isOutdated: boolean;
}

/** What the server has, made once and passed to every call. */
export interface Services {
  readonly db: Database;
  /** Unix seconds. */
  readonly now: () => number;
  readonly publicUrl: string;
  readonly registration: "open" | "closed";
  readonly passwords: Passwords;
  readonly runJob: RunJob;
  readonly heavyWork: Semaphore;
  /** Decodes and encodes images. */
  readonly images: ImageCodec;
  /** Reserves memory for a call, or throws when the server is full. */
  readonly reserveMemory: (bytes: number) => () => void;
  /** Counts calls under way of one caller; undefined when there are `limit` already. */
  readonly startCall: (key: string, limit: number) => (() => void) | undefined;
  /** Told of every tool call that was let in, for whoever watches the server. */
  readonly onToolCall: (call: { tool: string; succeeded: boolean }) => void;
  /** A caller's key for the allowances: an HMAC, so that no address is stored. */
  readonly rateKey: (text: string) => Uint8Array<ArrayBuffer>;
  /** Whether another `bytes` of stored content fit. */
  readonly hasRoom: (bytes: number) => Promise<boolean>;
  /** The input of the procedure at a path such as "tools.pdfRotate", to explain input errors by. */
  readonly inputSchemaAt: (path: string) => z.ZodObject | undefined;
}

/** One request, whichever http it came through; a batch shares one. */
export interface Context {
  readonly services: Services;
  readonly requestId: string;
  readonly credential: Credential;
  /** Looks the credential up once; a bad one is refused and never taken for an anonymous caller. */
  readonly identify: () => Promise<Caller>;
  /** The client's address as limits know it (IPv4, or an IPv6 /64) and as usage counts it. */
  readonly address: { readonly rate: string; readonly usage: string };
  /** False for HEAD, which asks what GET would say and takes nothing of a quota. */
  readonly isCounted: boolean;
  /** Bytes of the body by its own word, where it gave one. */
  readonly declaredBytes: number | undefined;
  /** Headers that the answer will carry. */
  readonly responseHeaders: Headers;
  /** Parts of the answer that a worker wrote as JSON; the http puts them in. */
  readonly jsonTexts: JsonText[];
  /** Lets the tool calls of one request run one after the other, so that a batch is not refused by itself. */
  readonly inSequence: Semaphore;
  /**
   * Keeps so much memory for the request until its answer has left, or throws when the server is full. The most
   * that was asked for counts: the calls of a batch work one after the other, and are not in each other's way.
   */
  readonly reserveMemory: (bytes: number) => void;
}

/** A request whose caller has been identified. */
export type CallerContext = Context & { readonly caller: Caller };
