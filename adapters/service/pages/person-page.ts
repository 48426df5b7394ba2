import { createHash } from "node:crypto";
import { FastResponse } from "srvx";
import { basePathOf } from "../../../router/base-path.ts";
import { baseHeaders } from "../../trpc/request-context.ts";
import type { ServiceContext } from "../request-context.ts";
import { languageAttributes, preferredLanguage, SERVER_WORDS, type ServerWords } from "./server-words.ts";
import { BUILDING_STYLE, escapeHtml } from "./texts.ts";

const STYLE_DIGEST = createHash("sha256").update(BUILDING_STYLE).digest("base64");
/** A page may ask with a form, which goes to this server alone. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** What is written on a page without script, in HTML. */
interface PersonPage {
  readonly status?: number;
  readonly headers?: Iterable<readonly [string, string]>;
  readonly title: (t: ServerWords) => string;
  readonly main: (t: ServerWords) => string;
  /** The words of the link to the account page. */
  readonly back: (t: ServerWords) => string;
}

/** Answers a person on the way to or from the organisation's provider with a page in their language. */
export function personPage(context: ServiceContext, page: PersonPage): Response {
  const { services } = context;
  const language = preferredLanguage(context.request.headers.get("accept-language"));
  // preferredLanguage gives no other.
  const t = SERVER_WORDS[language]!;
  const html = `<!doctype html>
<html ${languageAttributes(language)}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(services.instance.name)}</title><style>${BUILDING_STYLE}</style></head>
<body><main><h1>${page.title(t)}</h1>${page.main(t)}
<p><a href="${basePathOf(services.publicUrl)}/account">${page.back(t)}</a></p></main></body></html>
`;
  const headers = baseHeaders(context);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", POLICY);
  for (const [header, value] of page.headers ?? []) headers.set(header, value);
  return new FastResponse(html, { status: page.status ?? 200, headers });
}
