import { type MarkedPage, markOf } from "./marked-page.ts";
import { stream } from "./pdf-made.ts";

/** Annotations of a page, some of which lead to another one. */
export function annotationsOf(page: MarkedPage, other: MarkedPage): number[] {
  const popup = page.reserve();
  const text = page.put(
    `<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(${page.mark("comment")})/Popup ${popup} 0 R/OC ${page.layers[2]} 0 R>>`,
  );
  page.put(
    `<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Parent ${text} 0 R/Contents(${page.mark("pop-up")})>>`,
    popup,
  );
  const file = page.put(stream(page.mark("attached-file"), "/Type/EmbeddedFile"));
  return [
    text,
    popup,
    page.put(
      `<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</Type/Filespec/F(${page.mark("attached-name")})/EF<</F ${file} 0 R>>>>>>`,
    ),
    page.put(
      `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/P ${page.num} 0 R/Dest(${page.mark("destination")})/Contents(${page.mark("link")})>>`,
    ),
    page.put(
      `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D(${markOf(page.number % 2 ? page.number + 1 : page.number - 1, "destination")})/Next[<</S/URI/URI(${page.mark("next-action")})>>]>>>>`,
    ),
    page.put(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(${page.mark("destination-by-number")})>>`),
    page.put(
      `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/P ${page.orphan} 0 R/A<</S/SetOCGState/State[/ON ${page.layers[0]} 0 R/OFF ${other.layers[1]} 0 R]>>>>`,
    ),
    page.put(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoToDp/Dp ${documentPart(page)} 0 R>>>>`),
    page.put(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest/${page.mark("old-destination")}>>`),
    page.movie,
    ...actionsOf(page, other).map((action) =>
      page.put(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<<${action}>>>>`),
    ),
  ];
}

/** Actions that name annotations and fields of two pages. */
function actionsOf(page: MarkedPage, other: MarkedPage): string[] {
  const fields = [page, other].map(({ number }) => `(${markOf(number, "field")})`).join("");
  const next = `/Next<</S/URI/URI(${page.mark("action-after-movie")})>>`;
  return [
    `/S/Movie/T(${markOf(other.number, "movie")})${next}`,
    `/S/Movie/T(${page.mark("movie")})`,
    `/S/GoToE/D(x)/T<</R/C/P(${markOf(other.number, "destination")})/A(${markOf(other.number, "attachment")})>>`,
    `/S/GoToE/D(x)/T<</R/C/P ${other.number - 1}/A(${markOf(other.number, "attachment")})>>`,
    `/S/GoToE/D(x)/T<</R/C/P(${page.mark("destination")})/A(${page.mark("attachment")})>>`,
    `/S/GoToE/D(x)/T<</R/C/N(${page.mark("attachment-of-all")})>>`,
    `/S/Movie/Annotation ${other.movie} 0 R/Own(${markOf(other.number, "movie")})`,
    `/S/Rendition/OP 0/AN ${other.movie} 0 R/R<</S/MR/N(${markOf(other.number, "rendition")})>>`,
    `/S/Hide/T[${fields} ${other.field} 0 R]`,
    `/S/Hide/T(${markOf(other.number, "field")})`,
    `/S/SubmitForm/F(x)/Fields[${fields}]`,
    `/S/SubmitForm/F(${page.mark("submit-without")})/Fields[(${markOf(other.number, "field")})]/Flags 1`,
    `/S/ResetForm/Fields[${other.field} 0 R(${markOf(other.number, "parent-field")})(${markOf(other.number, "parent-field")}.${markOf(other.number, "kid-field")})]`,
  ];
}

/** Two steps of a presentation, which lead to each other and to another page. */
export function stepsOf(page: MarkedPage, other: MarkedPage): number {
  const [first, second] = [page.reserve(), page.reserve()];
  const there = `<</S/GoTo/D(${markOf(other.number, "destination")})>>`;
  page.put(`<</Type/NavNode/Next ${second} 0 R/NA${there}>>`, first);
  return page.put(
    `<</Type/NavNode/Prev ${first} 0 R/NA<</S/URI/URI(${page.mark("step")})/Next${there}>>/PA${there}/Next<</Type/NavNode/NA${there}/PA<</S/URI/URI(${page.mark("direct-step")})>>>>>>`,
    second,
  );
}

/** A link that is written into its page. */
export function directLink(page: MarkedPage): string {
  return `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(${page.mark("destination")})/Contents(${page.mark("direct-link")})>>`;
}

function documentPart(page: MarkedPage): number {
  return page.put(`<</Start ${page.num} 0 R/DPM<</Of(${page.catalogMark("document-part")})>>>>`);
}
