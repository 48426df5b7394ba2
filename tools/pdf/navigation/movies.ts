import { dictAt, type Pdf, resolve } from "../model/document.ts";
import { type PdfPage, pageAnnotations } from "../model/pages.ts";
import { textOf } from "../syntax/strings.ts";
import { isString, type PdfString, type Ref } from "../syntax/values.ts";

/** Finds the movie annotations of these pages (ISO 32000-1, 12.5.6.17) by their titles. Few documents have any. */
export function movieFinder(pdf: Pdf, pages: readonly PdfPage[]): (title: PdfString) => Ref | undefined {
  let movies: Map<string, Ref> | undefined;
  return (title) => (movies ??= moviesOn(pdf, pages)).get(textOf(title));
}

function moviesOn(pdf: Pdf, pages: readonly PdfPage[]): Map<string, Ref> {
  const movies = new Map<string, Ref>();
  for (const annotation of pages.flatMap((page) => pageAnnotations(pdf, page))) {
    const dict = dictAt(pdf, annotation);
    const title = resolve(pdf, dict?.get("T"));
    if (dict?.get("Subtype") !== "Movie" || !isString(title)) continue;
    if (!movies.has(textOf(title))) movies.set(textOf(title), annotation);
  }
  return movies;
}
