import ar from "../../../web/words/ar.json" with { type: "json" };
import de from "../../../web/words/de.json" with { type: "json" };
import en from "../../../web/words/en.json" with { type: "json" };
import es from "../../../web/words/es.json" with { type: "json" };
import fr from "../../../web/words/fr.json" with { type: "json" };
import ja from "../../../web/words/ja.json" with { type: "json" };
import pt from "../../../web/words/pt.json" with { type: "json" };
import zh from "../../../web/words/zh.json" with { type: "json" };

/** What the server itself says to a person, where no script runs or no pages are there yet. */
export type ServerWords = Readonly<typeof en.server>;

/**
 * By language; what one does not say yet is in English. Each is named by itself: only then does the bundler leave the
 * words of the pages out of the server.
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
