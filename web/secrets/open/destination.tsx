// Loaded when a link is entered: people who follow a link do not need it.
import type { VNode } from "preact";
import { parseLink, parseRequestLink, type SecretLink } from "../../../wire/links/links.ts";
import { unwrapLink } from "../../../wire/links/wrapped-links.ts";
import { currentLanguage, linkWords, type WordFile } from "../../app/language/words.ts";
import { hrefTo, SERVER_URL, shownPath } from "../../app/paths/base.ts";
import { Note } from "../../parts/note.tsx";
import type { AllWords } from "../../words/words.ts";

const WORDS = import.meta.glob<WordFile<Pick<AllWords, "elsewhere">>>("./*.json", {
  base: "../../words",
  query: { part: "elsewhere" },
});

/**
 * The page behind any Hushkit link: to a secret, to a request, or to its answer, also inside a wrapper. Returns what to
 * say about an invalid link, or one to another server, which this server must not learn of.
 */
export async function readDestination(given: string): Promise<string | VNode> {
  const found = findLink(unwrapLink(given));
  if (!found) {
    const { invalidTitle, invalid } = linkWords().open;
    return (
      <Note kind="bad" title={invalidTitle}>
        {invalid}
      </Note>
    );
  }
  const other = otherServer(found.server);
  if (other === undefined) return hrefTo(found.path);
  const loaded = await WORDS[`./${currentLanguage()}.json`]?.().catch(() => undefined);
  const { title = "", text = "" } = loaded?.default.elsewhere ?? {};
  return (
    <Note kind="warn" title={title}>
      {text} <a href={`${other}${found.path}`}>{other}</a>
    </Note>
  );
}

function findLink(text: string): { server: string; path: string } | undefined {
  const read = parseLink(text);
  if (read.is === "complete") return { server: read.link.server, path: pathOf(read.link) };
  const request = parseRequestLink(text);
  if (request.is === "answer") {
    const { server, id, publicKey } = request.link;
    return { server, path: `/r/${id}#${publicKey}` };
  }
  if (request.is !== "collect") return undefined;
  const { server, id, collectToken, privateKey } = request.link;
  return { server, path: `/r/${id}/collect#${collectToken}.${privateKey}` };
}

function pathOf({ id, key, inner }: SecretLink): string {
  // Changing only the fragment would not reload the page, but an ignored query does.
  const isHere = shownPath() === `/s/${id}`;
  return `/s/${id}${isHere ? "?again" : ""}#${key}${inner ? `.${inner}` : ""}`;
}

/**
 * The server of a link, where it is another one, ignoring the difference between http and https. A link may lack the
 * server, or only its scheme.
 */
function otherServer(server: string): string | undefined {
  const address = /^https?:/i.test(server) ? server : HOST.test(server) ? `https://${server}` : "";
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOwn = (own: URL) =>
    own.host === url?.host && own.pathname.replace(/\/$/, "") === url.pathname.replace(/\/$/, "");
  return !url || isOwn(new URL(SERVER_URL)) ? undefined : `${url.origin}${url.pathname}`.replace(/\/$/, "");
}

const HOST = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?$/;
