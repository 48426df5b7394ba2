import { CliError, EXIT } from "../exit.ts";

export const UNREACHABLE =
  "The server cannot be reached, or what answers there is no Hushkit; see HUSHKIT_URL.";

const NAME_IT =
  "Where you trust it, name a file with its certificate by --cacert FILE or NODE_EXTRA_CA_CERTS.";

/** By what Node and Bun give as a code and Deno in its sentence. The first that fits is told. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /DEPTH_ZERO_SELF_SIGNED_CERT|CaUsedAsEndEntity/,
    `The certificate of the server is self-signed, and no authority vouches for it. ${NAME_IT}`,
  ],
  [
    /UNABLE_TO_(?:VERIFY|GET_ISSUER)|SELF_SIGNED_CERT_IN_CHAIN|CERT_SIGNATURE_FAILURE|UnknownIssuer|BadSignature/,
    `The certificate of the server is from an authority that this machine does not know. ${NAME_IT}`,
  ],
  [
    /CERT_HAS_EXPIRED|certificate: (?:Expired|certificate expired)/,
    "The certificate of the server has expired, or the clock of this machine is wrong.",
  ],
  [
    /CERT_NOT_YET_VALID|NotValidYet|not valid yet/,
    "The certificate of the server is not valid yet, or the clock of this machine is wrong.",
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID|NotValidForName|not valid for name/,
    "The certificate of the server is for another host than the one of its address.",
  ],
  [
    /ERR_SSL|EPROTO|SSL routines|InvalidContentType/,
    "What answers there speaks no TLS that this program understands: is the address http:// and not https://?",
  ],
];

/** 407 as a status, never as a part of an address. */
const PROXY_AUTHENTICATION = /Proxy response \(407\)|proxy authentication required|tunnel: 407/i;
const PROXY_REFUSED = /Proxy response \((\d{3})\)|open a tunnel: (\d{3})|tunnel error: |unsuccessful tunnel/i;

/**
 * Says why a server could not be asked, as far as the runtime tells.
 * `proxy` is the variable that names the proxy of the call.
 */
export function connectionFailure(error: unknown, { proxy }: { proxy: string | undefined }): CliError {
  if (error instanceof CliError) return error;
  const told = causesOf(error);
  if (proxy !== undefined && PROXY_AUTHENTICATION.test(told))
    return failure(
      `The proxy of ${proxy} wants a name and a password, as in http://NAME:PASSWORD@proxy.example:3128.`,
    );
  const [refused, ...statuses] = (proxy !== undefined && PROXY_REFUSED.exec(told)) || [];
  if (refused !== undefined) {
    const status = statuses.find(Boolean);
    return failure(`The proxy of ${proxy} refused to connect to the server${status ? ` (${status})` : ""}.`);
  }
  const [, reason] = REASONS.find(([pattern]) => pattern.test(told)) ?? [];
  if (reason !== undefined) return failure(reason);
  const through = ` It was asked through the proxy of ${proxy}; NO_PROXY lists the hosts that need none.`;
  return failure(proxy === undefined ? UNREACHABLE : UNREACHABLE + through);
}

function failure(message: string): CliError {
  return new CliError(EXIT.network, message);
}

/** The codes and sentences of an error and of all that caused it. */
function causesOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const code = "code" in error ? String(error.code) : "";
  return `${code} ${error.message}\n${causesOf(error.cause)}`;
}
