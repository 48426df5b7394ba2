import type { Bytes } from "../../../../wire/bytes.ts";
import { type Draft, MarkedPage, type Place } from "./marked-page.ts";
import { makePdf } from "./pdf-made.ts";

/**
 * A document of `pages` pages in which every place that can hold what belongs to a page holds a mark of each; also the
 * places where marks were put.
 */
export function markedPdf(pages: number): { bytes: Bytes; places: Place[] } {
  const draft: Draft = { objects: {}, places: new Set(), next: 10 };
  const all = Array.from({ length: pages }, (_, i) => new MarkedPage(draft, i + 1));
  const list = (items: readonly (string | number)[]): string => `[${items.join(" ")}]`;
  const each = (make: (page: MarkedPage) => string): string => all.map(make).join("");
  const ref = (num: number): string => `${num} 0 R`;
  all.forEach((page, i) =>
    page.write({ outline: 4, tree: 5, thread: 9, neighbours: [all[i - 1], all[i + 1]] }),
  );
  Object.assign(draft.objects, {
    1:
      `<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>/AcroForm 6 0 R/Names 7 0 R` +
      `/Dests<<${each((page) => `/${page.mark("old-destination")}[${page.num} 0 R/Fit]`)}>>` +
      `/OCProperties 8 0 R/Threads[9 0 R]/Lang(en)/PageLabels<</Nums[${each((page) => `${page.number - 1}<</P(${page.mark("label")})>>`)}]>>` +
      `/PieceInfo<</App<</Private(${all.at(-1)!.catalogMark("catalog-piece-info")})>>>>` +
      `/Legal<</Attestation(${all.at(-1)!.catalogMark("catalog-legal")})>>` +
      `/Private<</Of(${all.at(-1)!.catalogMark("catalog-private")})/Page ${all.at(-1)!.num} 0 R>>` +
      `/SpiderInfo<</V(${all.at(-1)!.catalogMark("catalog-spider")})>>` +
      `/DPartRoot<</DPartRootNode<</DPM<</Of(${all.at(-1)!.catalogMark("document-part")})>>>>>>` +
      `/Collection<</Schema<</A<</N(${all.at(-1)!.catalogMark("catalog-collection")})>>>>>>` +
      `/AA<</WP<</S/GoTo/D(${all.at(-1)!.catalogMark("destination")})>>>>` +
      `/OpenAction<</S/GoTo/D(${all.at(-1)!.catalogMark("destination")})/Next<</S/URI/URI(https://example.org/opened)>>>>>>`,
    2: `<</Type/Pages/Count ${pages}/Kids${list(all.map((page) => ref(page.num)))}/MediaBox[0 0 200 200]/Resources 3 0 R/Own(${all.at(-1)!.catalogMark("node-private")})>>`,
    3: all.reduce(
      (text, page) => page.addTo(text),
      "<</Font<<>>/XObject<<>>/ExtGState<<>>/ColorSpace<<>>/Pattern<<>>/Shading<<>>/Properties<<>>/Own<<>>>>",
    ),
    4: `<</First ${all[0]!.bookmark} 0 R/Last ${all.at(-1)!.bookmark} 0 R/Count ${pages}/Own(${all.at(-1)!.catalogMark("outline-private")})>>`,
    5:
      `<</Type/StructTreeRoot/K[${each((page) => `${page.element} 0 R ${page.directElement()}`)}<</S/P/P 5 0 R/Pg ${all.at(-1)!.orphan} 0 R/K 0>>]` +
      `/Namespaces[<</NS(urn:own)/RoleMapNS<<${each((page) => `/${page.mark("namespaced-role")}/${page.mark("role-of-namespaced-role")}/${page.mark("role-of-namespaced-role")}/P`)}>>>>]` +
      `/ParentTree<</Nums[${each((page) => `${page.number}[${page.element} 0 R]`)}]>>` +
      `/RoleMap<<${each((page) => `/${page.mark("role")}/${page.mark("role-of-role")}/${page.mark("role-of-role")}/P`)}>>` +
      `/ClassMap<<${each((page) => `/${page.mark("class")}<</O/Layout>>`)}>>` +
      `/IDTree<</Names[${each((page) => `(${page.mark("element-id")})${page.element} 0 R`)}]>>/Own(${all.at(-1)!.catalogMark("tree-private")})>>`,
    6:
      `<</Fields[${each((page) => `${page.field} 0 R ${page.parentField} 0 R ${page.directField()} ${page.signedField(all.find((each) => each !== page)!)}`)}]/DA(/Helv 9 Tf)/CO[${each((page) => `${page.field} 0 R `)}]` +
      `/DR<</Font<<${each((page) => `/${page.mark("form-font")} ${page.formFont} 0 R`)}>>/XObject<<${each((page) => `/${page.mark("form-image")} ${page.formImage} 0 R`)}>>>>` +
      `/XFA(${all.at(-1)!.catalogMark("xml-form")})/Own(${all.at(-1)!.catalogMark("form-private")})>>`,
    7:
      `<</Dests<</Names[${each((page) => `(${page.mark("destination")})[${page.num} 0 R/Fit]`)}${each((page) => `(${page.mark("destination-by-number")})[${page.number - 1}/Fit]`)}]>>` +
      `/AP<</Names[(${all.at(-1)!.catalogMark("names-appearance")})null]>>/Pages<</Names[(${all.at(-1)!.catalogMark("names-pages")})null]>>` +
      `/Templates<</Names[(${all.at(-1)!.catalogMark("names-templates")})null]>>/Renditions<</Names[(${all.at(-1)!.catalogMark("names-renditions")})null]>>` +
      `/AlternatePresentations<</Names[(${all.at(-1)!.catalogMark("names-presentations")})null]>>` +
      `/EmbeddedFiles<</Names[(whole.txt)<</Type/Filespec/F(whole.txt)>>]>>>>`,
    8:
      `<</OCGs[${each((page) => page.layers.map((num) => `${num} 0 R `).join(""))}]/D<</Order[${each((page) => `[(${page.mark("layer-label")})${page.layers.map((num) => `${num} 0 R `).join("")}]`)}]` +
      `/OFF[${each((page) => `${page.layers[0]} 0 R `)}]/RBGroups[[${each((page) => `${page.layers[0]} 0 R `)}]]/AS[<</Event/View/Category[/View]/OCGs[${each((page) => `${page.layers[0]} 0 R `)}]>>]>>>>`,
    9: `<</F ${all[0]!.bead} 0 R/I<</Title(${all.at(-1)!.catalogMark("thread")})>>>>`,
  });
  const bytes = makePdf(draft.objects, { trailer: `/Own(${all.at(-1)!.catalogMark("trailer-private")})` });
  return { bytes, places: [...draft.places] };
}
