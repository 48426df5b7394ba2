import { createHash } from "node:crypto";
import { FastResponse } from "srvx";
import { basePathOf } from "../../../router/base-path.ts";
import { baseHeaders } from "../../trpc/request-context.ts";
import type { ServiceContext } from "../request-context.ts";
import { languageAttributes, preferredLanguage, SERVER_WORDS } from "./server-words.ts";
import { BUILDING_STYLE, escapeHtml } from "./texts.ts";

const STYLE_DIGEST = createHash("sha256").update(BUILDING_STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** What is to be tied to what. */
interface TieQuestion {
  /** What the member is called here. */
  readonly account: string;
  /** What the provider calls its account. */
  readonly identity: string;
  readonly provider: string;
  /** Where a yes goes. */
  readonly action: string;
}

/** Asks a person whether an account of the provider is to open theirs here. */
export function tieQuestion(context: ServiceContext, { action, ...about }: TieQuestion): Response {
  const { services } = context.trpcContext;
  const language = preferredLanguage(context.request.headers.get("accept-language"));
  // preferredLanguage gives no other.
  const t = SERVER_WORDS[language]!;
  const name = escapeHtml(services.instance.name);
  // By a function, because a name may have what `replace` reads as its own.
  const lead = t.tieLead.replace(
    /\{(account|identity|provider)\}/g,
    (_, word: keyof typeof about) => `<b><bdi>${escapeHtml(about[word])}</bdi></b>`,
  );
  const html = `<!doctype html>
<html ${languageAttributes(language)}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title><style>${BUILDING_STYLE}</style></head>
<body><main><h1>${t.tieTitle}</h1><p>${lead}</p>
<form method="post" action="${escapeHtml(action)}"><button>${t.tieYes}</button></form>
<p><a href="${basePathOf(services.publicUrl)}/account">${t.tieNo}</a></p></main></body></html>
`;
  const headers = baseHeaders(context);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", POLICY);
  return new FastResponse(html, { headers });
}
