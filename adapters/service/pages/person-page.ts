import { createHash } from "node:crypto";
import { FastResponse } from "srvx";
import type { ServiceContext } from "../request-context.ts";
import { escapeHtml, languageAttributes } from "../../../wire/page-html.ts";
import { preferredLanguage, SERVER_WORDS, type ServerWords, BUILDING_STYLE } from "./texts.ts";
import type { ApiError } from "../../../router/errors/errors.ts";
import { errorHeaders } from "../../trpc/answer/write-error.ts";

const STYLE_DIGEST = createHash("sha256").update(BUILDING_STYLE).digest("base64");
/** A page may send a form, to this server only. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The content of a page without scripts, in HTML. */
interface PersonPage {
  readonly status?: number;
  readonly headers?: Iterable<readonly [string, string]>;
  readonly title: (t: ServerWords) => string;
  readonly main: (t: ServerWords) => string;
  /** The words of the link to the account page. */
  readonly back: (t: ServerWords) => string;
}

/** Shows a person on the way to or from the organization's provider a page in their language. */
function personPage(context: ServiceContext, page: PersonPage): Response {
  const { services } = context;
  const language = preferredLanguage(context.request.headers.get("accept-language"));
  // preferredLanguage returns no other.
  const t = SERVER_WORDS[language]!;
  const html = `<!doctype html>
<html ${languageAttributes(language)}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(services.instance.name)}</title><style>${BUILDING_STYLE}</style></head>
<body><main><h1>${page.title(t)}</h1>${page.main(t)}
<p><a href="${services.basePath}/account">${page.back(t)}</a></p></main></body></html>
`;
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", POLICY);
  for (const [header, value] of page.headers ?? []) headers.set(header, value);
  return new FastResponse(html, { status: page.status ?? 200, headers });
}

/**
 * Asks a person whether `identity`, an account at the provider, should open `account`, theirs here. `action` is where a
 * confirmation is sent.
 */
export function tieQuestion(
  context: ServiceContext,
  { action, ...about }: { action: string; account: string; identity: string; provider: string },
): Response {
  // By a function, because a name may contain what `replace` treats specially.
  const named = (_: string, word: keyof typeof about) => `<b><bdi>${escapeHtml(about[word])}</bdi></b>`;
  return personPage(context, {
    title: (t) => t.tieTitle,
    main: (t) => `<p>${t.tieLead.replace(/\{\{(account|identity|provider)\}\}/g, named)}</p>
<form method="post" action="${escapeHtml(action)}"><button>${t.tieYes}</button></form>`,
    back: (t) => t.tieNo,
  });
}

/** Tells a person why a login by the organization's provider has failed, and links back to the login. */
export function loginFailure(context: ServiceContext, failure: ApiError): Response {
  return personPage(context, {
    status: failure.status,
    headers: errorHeaders(failure),
    title: (t) => t.loginFailed,
    main: () => `<p lang="en" dir="ltr">${escapeHtml(failure.message)}.</p>`,
    back: (t) => t.loginAgain,
  });
}
