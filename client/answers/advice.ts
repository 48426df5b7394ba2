// The sentences about what answers in place of Hushkit, or why nothing does; loaded when that has happened.

/** What stands between the caller and Hushkit, or in its place. */
export type AnswerKind =
  "gateway" | "too_large" | "busy" | "login" | "portal" | "moved" | "loop" | "other" | "version";

/** Why there was no answer: the server cannot be reached, is not trusted, or the caller's own proxy refuses. */
export type NoAnswerKind = "unreachable" | "certificate" | "tls" | "proxy" | "loop";

/** What was found, for callers with words of their own. */
export interface AnswerFacts {
  readonly status: number;
  readonly server?: string;
  /** The last address without its query, where it differs from the first. */
  readonly address?: string;
}

/** An answer, the server that was asked for it, and the one that it led to. */
export interface AnswerSource {
  readonly base: string;
  /** The address of the pages: without an ending such as /api. */
  readonly pages: string;
  readonly newBase: string | undefined;
  readonly facts: AnswerFacts;
  readonly type: string | undefined;
  readonly isRedirect: boolean;
  /** Whether the call was for the first server alone. */
  readonly isOwn: boolean | undefined;
}

type Row = readonly [pattern: RegExp, kind: NoAnswerKind, said: string];

/** {base} is the server. Node and Bun give a code, Deno a sentence. The first row that matches is used. */
const REASONS: readonly Row[] = [
  [
    /DEPTH_ZERO_SELF_SIGNED_CERT|CaUsedAsEndEntity/,
    "certificate",
    "The certificate of {base} is self-signed, and no authority vouches for it.",
  ],
  [
    /UNABLE_TO_(?:VERIFY|GET_ISSUER)|SELF_SIGNED_CERT_IN_CHAIN|CERT_SIGNATURE_FAILURE|UnknownIssuer|BadSignature/,
    "certificate",
    "The certificate of {base} is from an authority that this machine does not know.",
  ],
  [
    /CERT_HAS_EXPIRED|certificate: (?:Expired|certificate expired)/,
    "tls",
    "The certificate of {base} has expired, or the clock of this machine is wrong.",
  ],
  [
    /CERT_NOT_YET_VALID|NotValidYet|not valid yet/,
    "tls",
    "The certificate of {base} is not valid yet, or the clock of this machine is wrong.",
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|NotValidForName|not valid for name/,
    "tls",
    "The certificate of {base} is for another host than the one of its address.",
  ],
  [
    /ERR_SSL|EPROTO|SSL routines|InvalidContentType/,
    "tls",
    "What answers at {base} speaks no TLS that this program understands: is the address http:// and not https://?",
  ],
  [
    /redirect count exceeded|too many redirects|maximum number of redirects/i,
    "loop",
    "The redirects of {base} lead in a circle, so a proxy is set up wrongly. Tell who runs the server.",
  ],
];

/** Reasons why a server cannot be reached, with what to do. */
const UNREACHABLE: readonly (readonly [RegExp, string])[] = [
  [
    /ECONNREFUSED|ConnectionRefused|Connection refused/,
    ": nothing listens at this address and port. Check the address, and whether the server runs.",
  ],
  [
    /ENOTFOUND|dns error|failed to lookup/,
    ": there is no host of this name. Check the address and the network.",
  ],
  [/EAI_AGAIN/, ": no name server answers. Check the network."],
  [/ETIMEDOUT|ConnectTimeout|CONNECT_TIMEOUT|HeadersTimeout|timed out/i, ": it does not answer in time."],
  [/EHOSTUNREACH|ENETUNREACH|unreachable/, ": no way leads there. Check the network."],
  [
    /ECONNRESET|EPIPE|UND_ERR_SOCKET|other side closed|connection closed|socket connection was closed|connection reset|broken pipe/i,
    ": the connection was cut. The server may have ended, or a proxy takes the body for too large; what the call asks for may be done.",
  ],
  [/bad port|port \d+ (?:is|are) blocked/i, ": this port is not one for the web."],
];

/** Matches 407 as a status only, never in an address. */
const PROXY_AUTHENTICATION = /Proxy response \(407\)|proxy authentication required|tunnel: 407/i;
const PROXY_REFUSED = /Proxy response \((\d{3})\)|open a tunnel: (\d{3})|tunnel error: |unsuccessful tunnel/i;

/** Says why there was no answer from `base`, as far as the runtime tells. */
export function describeError(
  error: Error,
  { base, proxy }: { base: string; proxy: string | undefined },
): { kind: NoAnswerKind; sentence: string } {
  const told = causesOf(error);
  const refusal = proxy === undefined ? undefined : refusalOf(proxy, told);
  if (refusal !== undefined) return { kind: "proxy", sentence: refusal };
  const [, kind, said] = REASONS.find(([pattern]) => pattern.test(told)) ?? [];
  if (kind !== undefined && said !== undefined) return { kind, sentence: said.replace("{base}", base) };
  const [, reason = ". Check the address and the network."] =
    UNREACHABLE.find(([pattern]) => pattern.test(told)) ?? [];
  const through =
    proxy === undefined
      ? ""
      : ` It was asked through the proxy of ${proxy}; NO_PROXY lists the hosts that need none.`;
  return { kind: "unreachable", sentence: `${base} cannot be reached${reason}${through}` };
}

function refusalOf(proxy: string, told: string): string | undefined {
  if (PROXY_AUTHENTICATION.test(told))
    return `The proxy of ${proxy} wants a name and a password, as in http://NAME:PASSWORD@proxy.example:3128.`;
  const [refused, ...statuses] = PROXY_REFUSED.exec(told) ?? [];
  if (refused === undefined) return undefined;
  const status = statuses.find(Boolean);
  return `The proxy of ${proxy} refused to connect to the server${status ? ` (${status})` : ""}.`;
}

/** The codes and messages of an error and of its causes, which may lead in a circle. */
function causesOf(error: unknown, most = 16): string {
  if (!(error instanceof Error) || most === 0) return "";
  const code = "code" in error ? String(error.code) : "";
  return `${code} ${error.message}\n${causesOf(error.cause, most - 1)}`;
}

/** Says what answered, what it probably is, and what to do. */
export function describeAnswer(kind: AnswerKind, about: AnswerSource): string {
  const type = kind === "other" && about.type ? ` with ${about.type}` : "";
  return `${about.base} answered ${saidOf(about)}${type}${ADVICE[kind](about)}`;
}

function saidOf({ facts: { status, server, address }, isRedirect }: AnswerSource): string {
  const of = server === undefined ? "" : ` (Server: ${server})`;
  if (address === undefined) return `${status}${of}`;
  return `${status}${of}${isRedirect ? `, which leads to ${address}` : ` from ${address}`}`;
}

const MOVED_ACCOUNT =
  " (HUSHKIT_URL of the command line). A call with an account's token is sent on to no other server";

const ADVICE: Readonly<Record<AnswerKind, (of: AnswerSource) => string>> = {
  gateway: () =>
    ". That is a proxy in front of Hushkit, which is down, starting or too slow. Try again in a minute; the proxy's log says more.",
  too_large: () =>
    ". That is a proxy in front of Hushkit, which takes nothing as large as this. Send less, or have its limit raised (client_max_body_size in nginx).",
  busy: () =>
    ". That is a proxy in front of Hushkit, to which these were too many calls. Wait a few minutes.",
  login: () =>
    ". Something in front of Hushkit wants a login of its own or refuses you, such as single sign-on, a VPN or a firewall. This program cannot log in there: ask for an address without it.",
  portal: () =>
    " with a web page. That is probably a network that wants you to log in first, as in hotels and trains, or another website. Open the address in a browser.",
  moved: ({ base, newBase = "", isOwn }) =>
    base.startsWith("https:") && newBase.startsWith("http:")
      ? `. That is an address without TLS, to which nothing is sent on. Ask who runs the server for its https address.`
      : `. The server has another address: use ${newBase} in place of ${base}${isOwn ? MOVED_ACCOUNT : ""}.`,
  loop: () => ". The redirect leads in a circle, so a proxy is set up wrongly. Tell who runs the server.",
  other: adviseOnOther,
  version: () => ".",
};

function adviseOnOther({ base, pages }: AnswerSource): string {
  if (pages !== base)
    return `. The address of a Hushkit is the one of its pages, without /api or /trpc: try ${pages}.`;
  const scheme = base.startsWith("http:") ? ", also whether it begins with https" : "";
  return `. That is another service than Hushkit, or a proxy that does not know it. Check the address${scheme}.`;
}
