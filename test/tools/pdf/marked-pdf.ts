import type { Bytes } from "../../../wire/bytes.ts";
import { makePdf, stream } from "./pdf-made.ts";

/** Where the mark of a page was put. */
export type Place = string;

interface Draft {
  readonly objects: Record<number, string>;
  readonly places: Set<Place>;
  next: number;
}

/** A mark that says of which page it is and where it stands; without blanks, so that it can be a name. */
export function markOf(page: number, place: Place): string {
  return `OFPAGE${page}:${place}:`;
}

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
      `<</Fields[${each((page) => `${page.field} 0 R ${page.directField()} ${page.signedField(all.find((each) => each !== page)!)}`)}]/DA(/Helv 9 Tf)/CO[${each((page) => `${page.field} 0 R `)}]` +
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

interface Around {
  readonly outline: number;
  readonly tree: number;
  readonly thread: number;
  readonly neighbours: readonly (MarkedPage | undefined)[];
}

/** One page with everything that can belong to it. */
class MarkedPage {
  readonly num: number;
  readonly bookmark: number;
  readonly element: number;
  readonly field: number;
  readonly bead: number;
  /** A page that the page tree does not lead to. */
  readonly orphan: number;
  readonly formFont: number;
  readonly formImage: number;
  readonly layers: readonly number[];
  readonly number: number;
  readonly #draft: Draft;
  readonly #resources: [kind: string, name: string, value: string][] = [];

  constructor(draft: Draft, number: number) {
    this.#draft = draft;
    this.number = number;
    this.num = this.#reserve();
    this.bookmark = this.#reserve();
    this.element = this.#reserve();
    this.field = this.#reserve();
    this.bead = this.#reserve();
    this.orphan = this.#put(`<</Type/Page/Contents ${this.#put(stream(this.catalogMark("orphan")))} 0 R>>`);
    this.formFont = this.#put(`<</Type/Font/Subtype/Type1/BaseFont/${this.mark("form-font-name")}>>`);
    this.formImage = this.#image("form-image-data");
    this.layers = ["layer-of-content", "layer-of-image", "layer-of-annotation", "layer-in-membership"].map(
      (place) => this.#put(`<</Type/OCG/Name(${this.mark(place)})>>`),
    );
  }

  mark(place: Place): string {
    this.#draft.places.add(place);
    return markOf(this.number, place);
  }

  /** A mark in what the document has once, where it must go with its page and is not missed with another. */
  catalogMark(place: Place): string {
    return markOf(this.number, place);
  }

  directField(): string {
    return `<</T(${this.mark("direct-field")})/FT/Tx/V(${this.mark("direct-field-value")})/P ${this.num} 0 R/Subtype/Widget/Rect[0 0 9 9]>>`;
  }

  /** A signature that locks fields of two pages. */
  signedField(other: MarkedPage): string {
    const names = `(${this.mark("field")})(${markOf(other.number, "field")})`;
    return (
      `<</T(${this.mark("signed-field")})/FT/Sig/P ${this.num} 0 R/Subtype/Widget/Rect[0 0 9 9]/Lock<</Type/SigFieldLock/Action/Include/Fields[${names}]>>` +
      `/V<</Type/Sig/Reference[<</TransformMethod/FieldMDP/TransformParams<</Action/Include/Fields[${names}]>>>>]>>>>`
    );
  }

  directElement(): string {
    return `<</Type/StructElem/S/P/P 5 0 R/Pg ${this.num} 0 R/Alt(${this.mark("direct-element")})/K[1 <</Type/StructElem/S/${this.mark("namespaced-role")}/Pg ${this.num} 0 R/E(${this.mark("nested-direct-element")})/K 2>>]>>`;
  }

  /** The shared resources with those of this page. */
  addTo(text: string): string {
    let all = text;
    for (const [kind, name, value] of this.#resources)
      all = all.replace(`/${kind}<<`, () => `/${kind}<</${name} ${value}`);
    return all;
  }

  write({ outline, tree, thread, neighbours: [before, after] }: Around): void {
    const { num, number } = this;
    const destination = this.mark("destination");
    const layer = this.#use("Properties", "layer", `${this.layers[0]} 0 R`);
    const membership = this.#use("Properties", "membership", `<</Type/OCMD/OCGs[${this.layers[3]} 0 R]>>`);
    const properties = this.#use("Properties", "properties", `<</Title(${this.mark("properties")})>>`);
    const font = this.#use("Font", "font", `<</Type/Font/Subtype/Type1/BaseFont/${this.mark("font")}>>`);
    const image = this.#use("XObject", "image", `${this.#image("image", `/OC ${this.layers[1]} 0 R`)} 0 R`);
    const form = this.#use("XObject", "form", `${this.#form("form", { inner: "own" })} 0 R`);
    const mask = this.#use(
      "ExtGState",
      "mask",
      `<</SMask<</S/Luminosity/G ${this.#form("soft-mask", { inner: "shared" })} 0 R>>>>`,
    );
    const space = this.#use(
      "ColorSpace",
      "space",
      `[/Separation/${this.mark("colour")}/DeviceGray<</FunctionType 2/Domain[0 1]/N 1>>]`,
    );
    const pattern = this.#use(
      "Pattern",
      "pattern",
      `${this.#form("pattern", { inner: "shared", type: "/PatternType 1/PaintType 1/TilingType 1/XStep 9/YStep 9" })} 0 R`,
    );
    const shading = this.#use(
      "Shading",
      "shading",
      `<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 1 1]/Own(${this.mark("shading")})>>`,
    );
    const glyphs = this.#use("Font", "glyphs", `${this.#type3()} 0 R`);
    this.#use("Own", "private", `(${this.catalogMark("private-resources")})`);
    const first = this.#put(
      stream(
        `/OC /${layer} BDC EMC /OC /${membership} BDC EMC /P /${properties} BDC EMC /Span <</MCID 0>> BDC BT /${font} 9 Tf 9 9 Td (${this.mark("content")}) Tj /${glyphs} 9 Tf (a) Tj ET EMC ` +
          `/${image} Do /${form} Do /${mask} gs /${space} cs 1 scn /Pattern cs /${pattern} scn /${shading} sh`,
      ),
    );
    const second = this.#put(stream(`BT (${this.mark("second-content")}) Tj ET`));
    const annotations = [...this.#annotations(destination, (after ?? before)!), this.field];
    this.#draft.objects[num] =
      `<</Type/Page/Parent 2 0 R/Contents[${first} 0 R ${second} 0 R]/StructParents ${number}/B[${this.bead} 0 R]` +
      `/Annots[${annotations.map((each) => `${each} 0 R`).join(" ")} ${this.#directLink(destination)}]` +
      `/Thumb ${this.#image("thumbnail")} 0 R/Metadata ${this.#put(stream(this.mark("page-metadata"), "/Type/Metadata/Subtype/XML"))} 0 R` +
      `/PieceInfo<</App<</Private(${this.catalogMark("page-piece-info")})>>>>/AA<</O<</S/URI/URI(${this.mark("page-action")})>>>>>>`;
    this.#draft.objects[this.bookmark] =
      `<</Title(${this.mark("bookmark")})/Parent ${outline} 0 R/Dest(${destination})` +
      (before ? `/Prev ${before.bookmark} 0 R` : "") +
      (after ? `/Next ${after.bookmark} 0 R` : "") +
      ">>";
    this.#draft.objects[this.element] =
      `<</Type/StructElem/S/${this.mark("role")}/C/${this.mark("class")}/ID(${this.mark("element-id")})/P ${tree} 0 R/Pg ${num} 0 R/K 0/Alt(${this.mark("alternate-text")})/ActualText(${this.mark("actual-text")})>>`;
    this.#draft.objects[this.bead] =
      `<</T ${thread} 0 R/P ${num} 0 R/N ${(after ?? this).bead} 0 R/V ${(before ?? this).bead} 0 R/R[0 0 9 9]>>`;
    this.#draft.objects[this.field] =
      `<</Type/Annot/Subtype/Widget/FT/Tx/Rect[9 9 99 20]/P ${num} 0 R/T(${this.mark("field")})/V(${this.mark("field-value")})/DA(/${this.mark("form-font")} 9 Tf)` +
      `/AP<</N ${this.#form("appearance", { inner: "none", draws: this.mark("form-image") })} 0 R/D<</On ${this.#form("pressed-appearance", { inner: "none" })} 0 R>>>>/MK<</I ${this.#form("icon", { inner: "none" })} 0 R>>` +
      `/AA<</U<</S/ResetForm/Fields[(${this.mark("field")})(${(after ?? before ?? this).#foreign("field")})]>>>>>>`;
  }

  #annotations(destination: string, other: MarkedPage): number[] {
    const { objects } = this.#draft;
    const popup = this.#reserve();
    const text = this.#put(
      `<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(${this.mark("comment")})/Popup ${popup} 0 R/OC ${this.layers[2]} 0 R>>`,
    );
    objects[popup] =
      `<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Parent ${text} 0 R/Contents(${this.mark("pop-up")})>>`;
    const file = this.#put(stream(this.mark("attached-file"), "/Type/EmbeddedFile"));
    return [
      text,
      popup,
      this.#put(
        `<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</Type/Filespec/F(${this.mark("attached-name")})/EF<</F ${file} 0 R>>>>>>`,
      ),
      this.#put(
        `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/P ${this.num} 0 R/Dest(${destination})/Contents(${this.mark("link")})>>`,
      ),
      this.#put(
        `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D(${markOf(this.number % 2 ? this.number + 1 : this.number - 1, "destination")})/Next[<</S/URI/URI(${this.mark("next-action")})>>]>>>>`,
      ),
      this.#put(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(${this.mark("destination-by-number")})>>`),
      this.#put(
        `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/P ${this.orphan} 0 R/A<</S/SetOCGState/State[/ON ${this.layers[0]} 0 R/OFF ${other.layers[1]} 0 R]>>>>`,
      ),
      this.#put(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoToDp/Dp ${this.#documentPart()} 0 R>>>>`),
      this.#put(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest/${this.mark("old-destination")}>>`),
    ];
  }

  #documentPart(): number {
    return this.#put(`<</Start ${this.num} 0 R/DPM<</Of(${this.catalogMark("document-part")})>>>>`);
  }

  #directLink(destination: string): string {
    return `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(${destination})/Contents(${this.mark("direct-link")})>>`;
  }

  #foreign(place: Place): string {
    return markOf(this.number, place);
  }

  #reserve(): number {
    return this.#draft.next++;
  }

  #put(body: string): number {
    const num = this.#reserve();
    this.#draft.objects[num] = body;
    return num;
  }

  #image(place: Place, entries = ""): number {
    const data = this.mark(place);
    return this.#put(
      stream(
        data,
        `/Type/XObject/Subtype/Image/Width ${data.length}/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray${entries}`,
      ),
    );
  }

  /** A form that draws another, which has resources of its own, the shared ones or none. */
  #form(
    place: Place,
    {
      inner,
      type = "/Type/XObject/Subtype/Form",
      draws,
    }: { inner: "own" | "shared" | "none"; type?: string; draws?: string },
  ): number {
    const nested = this.#image(`${place}-image`);
    const name = `nested-${place}`;
    const resources = {
      own: `/Resources<</XObject<</${name} ${nested} 0 R>>>>`,
      shared: "/Resources 3 0 R",
      none: "",
    }[inner];
    if (inner !== "own") this.#resources.push(["XObject", `${name}-${this.number}`, `${nested} 0 R`]);
    const drawn = inner === "own" ? name : `${name}-${this.number}`;
    const more = draws ? `/${draws} Do` : "";
    return this.#put(
      stream(`% ${this.mark(place)}\n/${drawn} Do ${more}`, `${type}/BBox[0 0 9 9]${resources}`),
    );
  }

  #type3(): number {
    const glyph = this.#put(
      stream(
        `9 0 0 0 9 9 d1 % ${this.mark("glyph")}\n/${this.#use("XObject", "glyph-image", `${this.#image("glyph-image")} 0 R`)} Do`,
      ),
    );
    return this.#put(
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a ${glyph} 0 R>>/Resources 3 0 R>>`,
    );
  }

  #use(kind: string, name: string, value: string): string {
    const own = `${name}-${this.number}`;
    this.#resources.push([kind, own, value]);
    return own;
  }
}
