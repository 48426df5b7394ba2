import { createHash } from "node:crypto";
import { FastResponse } from "srvx";
import { basePathOf } from "../../../router/base-path.ts";
import type { ApiError } from "../../../router/errors/errors.ts";
import { errorHeaders } from "../../trpc/answer/write-error.ts";
import { baseHeaders } from "../../trpc/request-context.ts";
import type { ServiceContext } from "../request-context.ts";
import { languageAttributes, preferredLanguage, SERVER_WORDS } from "./server-words.ts";
import { BUILDING_STYLE, escapeHtml } from "./texts.ts";

const STYLE_DIGEST = createHash("sha256").update(BUILDING_STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; base-uri 'none'; frame-ancestors 'none'`;

/** Tells a person why a login by the organisation's provider has failed, and leads back to the login. */
export function loginFailure(context: ServiceContext, failure: ApiError): Response {
  const { services } = context.trpcContext;
  const language = preferredLanguage(context.request.headers.get("accept-language"));
  // preferredLanguage gives no other.
  const t = SERVER_WORDS[language]!;
  const name = escapeHtml(services.instance.name);
  const html = `<!doctype html>
<html ${languageAttributes(language)}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title><style>${BUILDING_STYLE}</style></head>
<body><main><h1>${t.loginFailed}</h1><p lang="en" dir="ltr">${escapeHtml(failure.message)}.</p>
<p><a href="${basePathOf(services.publicUrl)}/account">${t.loginAgain}</a></p></main></body></html>
`;
  const headers = baseHeaders(context);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", POLICY);
  for (const [header, value] of errorHeaders(failure)) headers.set(header, value);
  return new FastResponse(html, { status: failure.status, headers });
}
