// Loaded when a link is given: whoever follows one needs nothing of it.
import { parseLink, parseRequestLink, type SecretLink } from "../../../wire/links.ts";
import { unwrapLink } from "../../../wire/wrapped-links.ts";
import { hrefTo, shownPath } from "../../app/paths/base.ts";

/** The page behind any link of ours: to a secret, to a request, or to its answer; also where it came in a wrapper. */
export function pathOfAny(given: string): string | undefined {
  const text = unwrapLink(given);
  const read = parseLink(text);
  if (read.is === "complete") return pathOf(read.link);
  const request = parseRequestLink(text);
  if (request.is === "answer") return `${hrefTo(`/r/${request.link.id}`)}#${request.link.publicKey}`;
  if (request.is !== "collect") return undefined;
  const { id, collectToken, privateKey } = request.link;
  return `${hrefTo(`/r/${id}/collect`)}#${collectToken}.${privateKey}`;
}

function pathOf({ id, key, inner }: SecretLink): string {
  // Changing only the fragment would not reload the page; a query, which is ignored, makes it do so.
  const isHere = shownPath() === `/s/${id}`;
  return `${hrefTo(`/s/${id}`)}${isHere ? "?again" : ""}#${key}${inner ? `.${inner}` : ""}`;
}
