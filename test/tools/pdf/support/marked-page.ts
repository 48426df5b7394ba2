import { annotationsOf, directLink, stepsOf } from "./marked-annotations.ts";
import { stream } from "./pdf-made.ts";

/** Where the mark of a page was put. */
export type Place = string;

export interface Draft {
  readonly objects: Record<number, string>;
  readonly places: Set<Place>;
  next: number;
}

/** A mark that says of which page it is and where it stands; without blanks, so that it can be a name. */
export function markOf(page: number, place: Place): string {
  return `OFPAGE${page}:${place}:`;
}

interface Around {
  readonly outline: number;
  readonly tree: number;
  readonly thread: number;
  readonly neighbours: readonly (MarkedPage | undefined)[];
}

/** One page with everything that can belong to it. */
export class MarkedPage {
  readonly num: number;
  readonly bookmark: number;
  readonly element: number;
  readonly field: number;
  readonly parentField: number;
  readonly movie: number;
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
    this.num = this.reserve();
    this.bookmark = this.reserve();
    this.element = this.reserve();
    this.field = this.reserve();
    this.parentField = this.reserve();
    this.movie = this.put(
      `<</Type/Annot/Subtype/Movie/Rect[0 0 9 9]/T(${this.mark("movie")})/Movie<</F(${this.mark("movie-file")})>>>>`,
    );
    this.bead = this.reserve();
    this.orphan = this.put(`<</Type/Page/Contents ${this.put(stream(this.catalogMark("orphan")))} 0 R>>`);
    this.formFont = this.put(`<</Type/Font/Subtype/Type1/BaseFont/${this.mark("form-font-name")}>>`);
    this.formImage = this.#image("form-image-data");
    this.layers = ["layer-of-content", "layer-of-image", "layer-of-annotation", "layer-in-membership"].map(
      (place) => this.put(`<</Type/OCG/Name(${this.mark(place)})>>`),
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
    const other = (after ?? before)!;
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
    const first = this.put(
      stream(
        `/OC /${layer} BDC EMC /OC /${membership} BDC EMC /P /${properties} BDC EMC /Span <</MCID 0>> BDC BT /${font} 9 Tf 9 9 Td (${this.mark("content")}) Tj /${glyphs} 9 Tf (a) Tj ET EMC ` +
          `/${image} Do /${form} Do /${mask} gs /${space} cs 1 scn /Pattern cs /${pattern} scn /${shading} sh`,
      ),
    );
    const second = this.put(stream(`BT (${this.mark("second-content")}) Tj ET`));
    const annotations = [...annotationsOf(this, other), this.field, this.#kidField(other)];
    this.#draft.objects[num] =
      `<</Type/Page/Parent 2 0 R/Contents[${first} 0 R ${second} 0 R]/StructParents ${number}/B[${this.bead} 0 R]` +
      `/PresSteps ${stepsOf(this, other)} 0 R/Annots[${annotations.map((each) => `${each} 0 R`).join(" ")} ${directLink(this)}]` +
      `/Thumb ${this.#image("thumbnail")} 0 R/Metadata ${this.put(stream(this.mark("page-metadata"), "/Type/Metadata/Subtype/XML"))} 0 R` +
      `/PieceInfo<</App<</Private(${this.catalogMark("page-piece-info")})>>>>/AA<</O<</S/URI/URI(${this.mark("page-action")})>>>>>>`;
    this.#draft.objects[this.bookmark] =
      `<</Title(${this.mark("bookmark")})/Parent ${outline} 0 R/Dest(${destination})` +
      (before ? `/Prev ${before.bookmark} 0 R` : "") +
      (after ? `/Next ${after.bookmark} 0 R` : "") +
      ">>";
    this.#draft.objects[this.element] =
      `<</Type/StructElem/S/${this.mark("role")}/C/${this.mark("class")}/ID(${this.mark("element-id")})/A<</O/Table/Headers[(${this.mark("element-id")})(${other.#foreign("element-id")})]>>/P ${tree} 0 R/Pg ${num} 0 R/K 0/Alt(${this.mark("alternate-text")})/ActualText(${this.mark("actual-text")})>>`;
    this.#draft.objects[this.bead] =
      `<</T ${thread} 0 R/P ${num} 0 R/N ${(after ?? this).bead} 0 R/V ${(before ?? this).bead} 0 R/R[0 0 9 9]>>`;
    this.#draft.objects[this.field] =
      `<</Type/Annot/Subtype/Widget/FT/Tx/Rect[9 9 99 20]/P ${num} 0 R/T(${this.mark("field")})/V(${this.mark("field-value")})/DA(/${this.mark("form-font")} 9 Tf)` +
      `/AP<</N ${this.#form("appearance", { inner: "none", draws: this.mark("form-image") })} 0 R/D<</On ${this.#form("pressed-appearance", { inner: "none" })} 0 R>>>>/MK<</I ${this.#form("icon", { inner: "none" })} 0 R>>` +
      `/AA<</U<</S/ResetForm/Fields[(${this.mark("field")})(${other.#foreign("field")})]>>>>>>`;
  }

  /** A widget below a field that has an action of its own. */
  #kidField(other: MarkedPage): number {
    const kid = this.put(
      `<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/P ${this.num} 0 R/Parent ${this.parentField} 0 R/T(${this.mark("kid-field")})>>`,
    );
    this.put(
      `<</FT/Tx/T(${this.mark("parent-field")})/Kids[${kid} 0 R]/AA<</F<</S/Hide/T[(${this.mark("parent-field")}.${this.mark("kid-field")})(${other.#foreign("field")})]>>>>>>`,
      this.parentField,
    );
    return kid;
  }

  #foreign(place: Place): string {
    return markOf(this.number, place);
  }

  reserve(): number {
    return this.#draft.next++;
  }

  put(body: string, num = this.reserve()): number {
    this.#draft.objects[num] = body;
    return num;
  }

  #image(place: Place, entries = ""): number {
    const data = this.mark(place);
    return this.put(
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
    return this.put(
      stream(`% ${this.mark(place)}\n/${drawn} Do ${more}`, `${type}/BBox[0 0 9 9]${resources}`),
    );
  }

  #type3(): number {
    const glyph = this.put(
      stream(
        `9 0 0 0 9 9 d1 % ${this.mark("glyph")}\n/${this.#use("XObject", "glyph-image", `${this.#image("glyph-image")} 0 R`)} Do`,
      ),
    );
    return this.put(
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a ${glyph} 0 R>>/Resources 3 0 R>>`,
    );
  }

  #use(kind: string, name: string, value: string): string {
    const own = `${name}-${this.number}`;
    this.#resources.push([kind, own, value]);
    return own;
  }
}
