import { basePathOf } from "../../../router/accounts/cookies.ts";
import type { Pages } from "./files.ts";
import { escapeHtml, languageAttributes } from "../../../wire/page-html.ts";
import ar from "../../../web/words/ar.json" with { type: "json" };
import de from "../../../web/words/de.json" with { type: "json" };
import en from "../../../web/words/en.json" with { type: "json" };
import es from "../../../web/words/es.json" with { type: "json" };
import fr from "../../../web/words/fr.json" with { type: "json" };
import ja from "../../../web/words/ja.json" with { type: "json" };
import pt from "../../../web/words/pt.json" with { type: "json" };
import zh from "../../../web/words/zh.json" with { type: "json" };

/** What a terminal sees at `/`. */
export function helpText(publicUrl: string): string {
  return `Hushkit: share a secret once, and do something to a file.

Share    curl --data-binary @- "${publicUrl}/?raw=true"
Rotate   curl --data-binary @in.pdf "${publicUrl}/api/tools/pdf-rotate?angle=90" -o out.pdf

Everything there is: ${publicUrl}/api/tools, as OpenAPI: ${publicUrl}/api/openapi.json
Pages for people: ${publicUrl}/ in a browser
`;
}

export const BUILDING_STYLE =
  ":root{color-scheme:light dark;font:1.0625rem/1.6 system-ui,sans-serif}body{display:grid;place-content:center;min-height:90vh;margin:0 1.5rem;text-align:center}h1{font-size:1.4rem;margin:0}p{margin:.5rem 0;max-width:30rem}";

/** Shown until the pages are built; the API answers meanwhile. */
export function buildingPage(state: ReturnType<Pages["state"]>, language: string): string {
  const isBuilding = state === "building";
  const t = wordsIn(language);
  const message = isBuilding
    ? `<h1>${t.building}</h1><p>${t.buildingLead}</p>`
    : `<h1>${t.unbuilt}</h1><p>${t.unbuiltLead.replace("{{command}}", "<code>npm run build</code>")}</p>`;
  return `<!doctype html>
<html ${languageAttributes(language)}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${isBuilding ? '<meta http-equiv="refresh" content="2">' : ""}<title>Hushkit</title><style>${BUILDING_STYLE}</style></head>
<body><main>${message}<p>${t.apiReady}</p></main></body></html>
`;
}

/** The text for browsers without scripts. */
export function withoutScript(publicUrl: string, language: string): string {
  const t = wordsIn(language);
  return `<noscript><main class="plain" ${languageAttributes(language)}><h1>Hushkit</h1>
<p>${t.noScript}</p>
<p>${t.overHttp} <code>curl --data-binary @in.pdf "${escapeHtml(publicUrl)}/api/tools/pdf-rotate?angle=90" -o out.pdf</code></p>
<p><a href="${basePathOf(publicUrl)}/api/tools">${t.everything}</a></p></main></noscript>`;
}

/**
 * The form that opens a secret without scripts. Browsers do not send what follows #, so the key is pasted; where a mail
 * gateway has turned # into %23, it is in the path and already filled in.
 */
export function openWithoutScript({
  link,
  publicUrl,
  language,
}: {
  /** The part after `/s/`. */
  link: string;
  publicUrl: string;
  language: string;
}): string {
  const [, id, key = ""] = /^([0-9A-Za-z]{1,64})(?:(?:#|%23)([0-9A-Za-z]{0,64}))?/i.exec(link) ?? [];
  if (!id) return withoutScript(publicUrl, language);
  const t = wordsIn(language);
  return `<noscript><main class="plain" ${languageAttributes(language)}><h1>${t.secret}</h1>
<p>${t.secretLead}</p>
<form method="post" action="${basePathOf(publicUrl)}/api/secrets/${id}/reveal?raw=true">
<p><label for="key">${t.key}</label>
<input id="key" name="key" value="${key}" required pattern="[0-9A-Za-z]{22}" autocomplete="off" spellcheck="false"></p>
<p><label for="passphrase">${t.passphrase}</label>
<input id="passphrase" name="passphrase" type="password" autocomplete="off"></p>
<p><button>${t.open}</button></p></form>
<p>${t.keyHint}</p></main></noscript>`;
}

function wordsIn(language: string): ServerWords {
  // chooseLanguage returns no other.
  return SERVER_WORDS[language]!;
}

/** The server's own words for people, where no script runs or the pages are not built yet. */
export type ServerWords = Readonly<typeof en.server>;

/**
 * By language; missing words are English. `.server` is read from each import separately: only then can the bundler
 * leave the pages' words out of the server.
 */
export const SERVER_WORDS: Readonly<Record<string, ServerWords>> = {
  en: en.server,
  de: { ...en.server, ...de.server },
  fr: { ...en.server, ...fr.server },
  es: { ...en.server, ...es.server },
  pt: { ...en.server, ...pt.server },
  zh: { ...en.server, ...zh.server },
  ja: { ...en.server, ...ja.server },
  ar: { ...en.server, ...ar.server },
};

/** The language of a request, as far as there are words for it (RFC 9110, 12.5.4). */
export function preferredLanguage(accept: string | null): string {
  const wanted = (accept ?? "").split(",").map((item) => {
    const [tag = "", weight] = item.trim().split(/\s*;\s*q=/);
    return { language: tag.split("-")[0]?.toLowerCase() ?? "", weight: Number(weight ?? 1) };
  });
  const known = wanted.filter(({ language, weight }) => Object.hasOwn(SERVER_WORDS, language) && weight > 0);
  return known.toSorted((a, b) => b.weight - a.weight)[0]?.language ?? "en";
}
