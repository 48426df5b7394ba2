/**
 * The entries that ISO 32000-2 names for each type of dictionary, as far as a reader needs them to draw the document or
 * to lead through it; what only tells of its making is left out (/LastModified, /PieceInfo, /Metadata, /Thumb, /OPI,
 * /CreatorInfo, the /Info of threads, the /ID and dates of web capture …). Subtypes of a type share a line.
 *
 * `Key:Type` says of what type the dictionaries and streams under a key are, also in lists; under other keys there are
 * none. `A|B` is one of two types, `*A` a dictionary whose keys an author chose, `#A` a name or number tree, `~A` an
 * object that the entry only points at: it is written where something else leads to it. `*:A` are all other keys.
 */
const TABLE = `
Catalog Version Pages:Page PageLabels:#PageLabel Names:Names Dests:*Destination ViewerPreferences:Preferences
  PageLayout PageMode Outlines:Bookmark Threads:Thread OpenAction:Action|Destination AA:Triggers URI:Uri AcroForm:Form
  StructTreeRoot:ElementRoot MarkInfo:Marks Lang OutputIntents:OutputIntent OCProperties:Layers Perms:*Signature
  Requirements:Requirement Collection:Collection NeedsRendering DSS:Trust AF:File DPartRoot:Part
Page Parent:~Page Kids:Page Count Resources:Resources MediaBox CropBox Rotate BleedBox TrimBox ArtBox
  BoxColorInfo:*BoxStyle Contents:Content Group:Group B:Bead Dur Trans:Transition Annots:Annotation AA:Triggers
  StructParents SeparationInfo:Separation Tabs TemplateInstantiated PresSteps:Step UserUnit VP:Measure AF:File
  OutputIntents:OutputIntent DPart:Part
Content
Data
Segments
PageLabel S P St
BoxStyle C W S D
Separation Pages:~Page DeviceColorant ColorSpace:ColorSpace
Resources ExtGState:*GState ColorSpace:*ColorSpace Pattern:*XObject Shading:*Shading XObject:*XObject Font:*Font ProcSet
  Properties:*Properties|*Layer Encoding:*Encoding
Properties MCID Lang ActualText Alt E BBox Attached Subtype TagSuspect AF:File Phoneme PhoneticAlphabet
Annotation DR:Resources Subtype Rect Contents P:~Page NM M F AP:Appearance AS Border C StructParent OC:Layer AF:File ca CA BM Lang T
  Popup:Annotation RC:Data CreationDate IRT:Annotation Subj RT Vertices LE BS:Border IC BE:Border IT Measure:Measure Path
  ExData:Media FT Parent:Annotation Kids:Annotation TU TM Ff AA:Triggers DA Q DS RV:Data V:Signature DV:Signature FS:File
  Name InkList Lock:Signature SV:Signature Open FixedPrint:FixedPrint CL RD QuadPoints A:Action|Media Dest:Destination H
  PA:Action Movie:Media Opt MN 3DD:Media 3DV:Media 3DA:Media 3DI 3DB 3DU:Media GEO:Measure RO:XObject OverlayText Repeat
  MK:Characteristics PMD Sound:Media RichMediaContent:Media RichMediaSettings:Media MaxLen State StateModel L LL LLE Cap
  LLO CP CO TI I Sy
Appearance N:*XObject R:*XObject D:*XObject
Characteristics R BC BG CA RC AC I:XObject RI:XObject IX:XObject IF:IconFit TP
IconFit SW S A FB
Border S I Type W D
FixedPrint Matrix H V
Form Fields:Annotation NeedAppearances SigFlags CO:Annotation DR:Resources DA Q XFA:Data
Action S Next:Action D:Destination|~Thread SD:Destination F:File NewWindow O P Win:Launch Mac Unix Dp:~Part URI IsMap
  B:~Bead Volume Synchronous Repeat Mix Sound:Media Annotation:~Annotation T:~Annotation|Target Operation H N
  Fields:~Annotation Flags CharSet State:~Layer PreserveRB R:Media AN:~Annotation OP JS:Data Trans:Transition
  TA:~Annotation V:Media CMD:Media TI
Launch F D O P
Target R N P A T:Target
Triggers E:Action X:Action D:Action U:Action Fo:Action Bl:Action PO:Action PC:Action PV:Action PI:Action O:Action C:Action
  K:Action F:Action V:Action WC:Action DC:Action WS:Action DS:Action WP:Action DP:Action
Uri Base
Bookmark Title Parent:~Bookmark Prev:Bookmark Next:Bookmark First:Bookmark Last:Bookmark Count Dest:Destination A:Action
  SE:~Element C F
Destination D:Destination SD:Destination
Font Subtype Name FontBBox FontMatrix CharProcs:*XObject Encoding:Encoding FirstChar LastChar Widths
  FontDescriptor:FontDescriptor Resources:Resources ToUnicode:Encoding BaseFont CIDSystemInfo:CIDSystem DW W DW2 W2
  CIDToGIDMap:Data DescendantFonts:Font
FontDescriptor FontName FontFamily FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent Leading CapHeight
  XHeight StemV StemH AvgWidth MaxWidth MissingWidth FontFile:FontFile FontFile2:FontFile FontFile3:FontFile CharSet
  Style:FontStyle Lang FD:*FontDescriptor CIDSet:Data
FontStyle Panose
FontFile Length1 Length2 Length3 Subtype
Encoding BaseEncoding Differences CMapName CIDSystemInfo:CIDSystem WMode UseCMap:Encoding
CIDSystem Registry Ordering Supplement
XObject Subtype Width Height ColorSpace:ColorSpace BitsPerComponent Intent ImageMask Mask:XObject Decode Interpolate
  Alternates:Alternate SMask:XObject SMaskInData Matte Name StructParent StructParents OC:Layer Measure:Measure
  PtData:Measure AF:File FormType BBox Matrix Resources:Resources Group:Group Ref:Reference PatternType PaintType TilingType
  XStep YStep Shading:Shading ExtGState:GState Subtype2 PS:Data Level1:Data MarkStyle Colorants:*ColorSpace PCM
  SeparationColorNames TrapRegions:TrapRegion TrapStyles W H BPC CS:ColorSpace D DP:Parameters IM
Alternate Image:XObject DefaultForPrinting OC:Layer
Reference F:File Page
TrapRegion TP TZ
Group S CS:ColorSpace I K
Shading ShadingType ColorSpace:ColorSpace Background BBox AntiAlias Coords Domain Function:Function Extend Matrix
  BitsPerCoordinate BitsPerComponent BitsPerFlag Decode VerticesPerRow
Function FunctionType Domain Range Size BitsPerSample Order Encode Decode C0 C1 N Functions:Function Bounds
GState LW LC LJ ML D RI OP op OPM Font:Font BG:Function BG2:Function UCR:Function UCR2:Function TR:Function TR2:Function
  HT:Halftone FL SM SA BM SMask:SoftMask CA ca AIS TK UseBlackPtComp HTO
SoftMask S G:XObject BC TR:Function
Halftone HalftoneType HalftoneName Frequency Angle SpotFunction:Function AccurateScreens TransferFunction:Function
  Xsquare Ysquare Width Height Width2 Height2 *:Halftone
ColorSpace WhitePoint BlackPoint Gamma Matrix Range N Alternate:ColorSpace Subtype Colorants:*ColorSpace
  Process:ColorSpace ColorSpace:ColorSpace Components MixingHints:MixingHints
MixingHints Solidities:* PrintingOrder DotGain:*Function
OutputIntent S OutputCondition OutputConditionIdentifier RegistryName Info DestOutputProfile:ColorSpace
  DestOutputProfileRef:ProfileReference MixingHints:MixingHints SpectralData:*Data
ProfileReference CheckSum ColorantTable ICCVersion ProfileCS ProfileName URLs:File
Parameters Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign Rows EndOfBlock BlackIs1
  DamagedRowsBeforeError JBIG2Globals:Segments ColorTransform Name
Element Pg:~Page Obj:~Annotation|~XObject S P:Element|ElementRoot ID Ref:~Element K:Element A:Attributes C R T Lang Alt E
  ActualText AF:File NS:Namespace PhoneticAlphabet Phoneme Stm:~XObject StmOwn:~Annotation|~XObject MCID
ElementRoot K:Element IDTree:#Element ParentTree:#ElementSlots ParentTreeNextKey RoleMap:* ClassMap:*Attributes
  Namespaces:Namespace PronunciationLexicon:File AF:File
Namespace NS Schema:File RoleMapNS:*Namespace
Attributes O NS:Namespace P:Attributes N V F H Placement WritingMode BackgroundColor BorderColor BorderStyle
  BorderThickness Padding Color SpaceBefore SpaceAfter StartIndent EndIndent TextIndent TextAlign BBox Width Height
  BlockAlign InlineAlign TBorderStyle TPadding BaselineShift LineHeight TextPosition TextDecorationColor
  TextDecorationThickness TextDecorationType RubyAlign RubyPosition GlyphOrientationVertical ColumnCount ColumnGap
  ColumnWidths ListNumbering ContinuedList ContinuedFrom Role Checked checked Desc RowSpan ColSpan Headers Scope Summary
  Short Subtype Contents NoteType Attached
Marks Marked UserProperties Suspects
Layers OCGs:Layer D:LayerConfig Configs:LayerConfig
LayerConfig Name BaseState ON:Layer OFF:Layer Intent AS:LayerUse Order:Layer ListMode RBGroups:Layer Locked:Layer
LayerUse Event OCGs:Layer Category
Layer Name Intent Usage:LayerUsage OCGs:Layer P VE:Layer
LayerUsage Language:LayerUsage Export:LayerUsage Zoom:LayerUsage Print:LayerUsage View:LayerUsage PageElement:LayerUsage
  Subtype PrintState Lang Preferred min max ExportState ViewState
Names Dests:#Destination AP:#XObject JavaScript:#Action Pages:#Page Templates:#Page EmbeddedFiles:#File
  AlternatePresentations:#Media Renditions:#Media XFAResources:#Data
File FS F UF DOS Mac Unix V EF:*EmbeddedFile RF:*EmbeddedFile Desc CI:*CollectionValue AFRelationship EP:Payload
EmbeddedFile Subtype Params:FileParameters
FileParameters Size CheckSum
Payload Subtype Version
CollectionValue D P
Collection Schema:*CollectionField D View Navigator:Collection Colors:Collection Sort:Collection Folders:Folder
  Split:Collection Resources:#Data Background CardBackground CardBorder PrimaryText SecondaryText S A Direction Position
  Layout SWF Category Version APIVersion LoadType Icon Locale Strings:* InitialFields:*CollectionField
CollectionField Subtype N O V E
Folder ID Name Parent:Folder Child:Folder Next:Folder CI:*CollectionValue Desc Free
Signature Filter SubFilter Contents Cert ByteRange Reference:Signature Changes Name M Location Reason ContactInfo R V Ff
  Action Fields DigestMethod Reasons MDP:Signature TimeStamp:Signature LegalAttestation AddRevInfo LockDocument
  AppearanceFilter P TransformMethod TransformParams:Signature DigestValue DigestLocation Document Msg Annots Form
  Signature EF Subject SubjectDN:* KeyUsage Issuer OID URL URLType
Trust VRI:*Trust Certs:Data OCSPs:Data CRLs:Data Cert:Data CRL:Data OCSP:Data TU TS:Data
Media XN IN MS MA:Media C2W U3DPath CO P:Media O BG:Media RM:Media LS:Media SA:Media NA:Media NR Params:Media R:Media
  C:Media B:Media E:Media CP F:File|Media Subtype PC TM PlayCount Speed AO S:~Annotation|Media V:Media MU:Media
  A:Action|Media NU:Media AIS D:File|Media DIS TB NP Style Window:Media Transparent RT T:Media UC TT 3DA:~Annotation
  3DV:Media MD5 N CT Alt PL:Media MH:Media BE:Media PO IV PV IC ST SC FlashVars:Data Binding BindingMaterial
  CuePoints:Media Settings:Data Width:Media Height:Media Position:Media Resources:#Data|#File StartResource
  NavigationPane Toolbar PassContextClick RC SP:Media TRL AP A1 N1 A2 N2 D1 TP TY TS U UT Start Duration Rate Volume
  ShowControls Mode Synchronous FWScale FWPosition BU Default Max Min TSm TSn TU USm USn UU DSm DSn DU Instance:~Media
  AC FC CV Asset:File Scene VA:Media DV:Media OnInstantiate:Data AN:Media ColorSpace:ColorSpace Z:Media L
  Activation:Media Deactivation:Media Name Time A3 A4 TX EL M HAlign VAlign HOffset VOffset TF CS FOV PS OS OB 3DD:Media
  D2 DR M3DREF:Media Condition Animation:Media View:Media Configuration:Media Presentation:Media Scripts:File W Aspect
  Rotate Poster:XObject Assets:#File Configurations:Media Views:Media LI H HI Instances:Media PID:Media EA
Measure Subtype R X:Measure Y:Measure D:Measure A:Measure T:Measure S:Measure O CYX BBox Name Measure:Measure
  PtData:Measure U C F FD RT RD PS SS Bounds GCS:Measure DCS:Measure PDU GPTS LPTS PCSM Names XPTS EPSG WKT
Thread F:Bead
Bead T:Thread N:Bead V:Bead P:~Page R
Transition S D Dm M Di SS B
Step NA:Action PA:Action Next:Step Prev:Step Dur
Preferences HideToolbar HideMenubar HideWindowUI FitWindow CenterWindow DisplayDocTitle NonFullScreenPageMode Direction
  ViewArea ViewClip PrintArea PrintClip PrintScaling Duplex PickTrayByPDFSize PrintPageRange NumCopies Enforce
Part DPartRootNode:Part RecordLevel NodeNameList Parent:Part DParts:Part Start:~Page End:~Page AF:File
Requirement S V RH:Requirement Penalty Encrypt DigSig Script
`;

/** Entries of every dictionary, and those of streams (ISO 32000-2, 7.3.8.2). */
const COMMON = "Type Length Filter DecodeParms:Parameters F:File FFilter FDecodeParms:Parameters DL";

/** Types whose lists hold something else than dictionaries of the type itself. */
const ITEMS: Readonly<Record<string, string>> = {
  // The page or element that is shown, and numbers (12.3.2.2).
  Destination: "~Page|~Element",
  // Of separations and the like: other color spaces, functions and tables (8.6.6).
  ColorSpace: "ColorSpace|Function",
  ElementSlots: "Element",
};

/** The type of a dictionary or stream that a program wrote for itself, of which nothing else is known. */
export const PRIVATE = "?";

/** Where readers look for actions in what they know; a program may have copied such a dictionary. */
const PRIVATE_KEYS = keysFrom([
  ...["OpenAction", "A", "PA"].map((key) => `${key}:Action|${PRIVATE}`),
  `AA:Triggers|${PRIVATE}`,
]);

/** What may stand in a place: one type, or several that readers tell apart by the value. */
export interface ObjectType {
  /** The name of the type, as in the table; several are joined with a bar. */
  readonly id: string;
  /** The types under the keys that are known, by name. */
  readonly keys: ReadonlyMap<string, string>;
  /** The type under all other keys, where an author chooses them. */
  readonly otherKeys: string | undefined;
  /** The type of items of lists. */
  readonly items: string;
  /** Whether a place in a list means something, so that what goes leaves null behind. */
  readonly hasPlaces: boolean;
  /** Whether lists have keys and values in turn. */
  readonly isTree: boolean;
  /** Whether references only point at what something else leads to. */
  readonly isPointer: boolean;
  readonly has: (name: string) => boolean;
}

const entries = readTable();
const known = new Map<string, ObjectType>();

function readTable(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const lines = TABLE.trim().split(/\n(?=\S)/);
  const table = new Map(
    lines.map((line) => {
      const [name = "", ...keys] = line.split(/\s+/);
      return [name, keysFrom([...COMMON.split(" "), ...keys])] as const;
    }),
  );
  return new Map([...table, ["ElementSlots", table.get("Element") ?? new Map()]]);
}

function keysFrom(list: readonly string[]): Map<string, string> {
  return new Map(list.map((each) => [each.split(":")[0] ?? "", each.split(":")[1] ?? ""]));
}

/** The type with this name, or of several names that are joined with bars. */
export function typeNamed(id: string): ObjectType {
  const found = known.get(id);
  if (found) return found;
  const made = makeType(id);
  known.set(id, made);
  return made;
}

const joined = new Map<string, Map<string, string>>();

/** What is of one type in one place and of another elsewhere. */
export function eitherType(a: string, b: string): string {
  if (a === b) return a;
  const known = joined.get(a) ?? new Map<string, string>();
  joined.set(a, known);
  const found = known.get(b) ?? joinTypes(a, b);
  known.set(b, found);
  return found;
}

function joinTypes(a: string, b: string): string {
  const names = new Set([...a.split("|"), ...b.split("|")]);
  return [...names]
    .filter((each) => each !== "")
    .sort()
    .join("|");
}

function makeType(id: string): ObjectType {
  const names = id.split("|");
  const parts = names.map(onePart);
  const keys = new Map<string, string>();
  for (const part of parts)
    for (const [key, type] of part.keys) keys.set(key, eitherType(keys.get(key) ?? type, type));
  const others = parts.flatMap(({ otherKeys }) => (otherKeys === undefined ? [] : [otherKeys]));
  return {
    id,
    keys,
    otherKeys: others.length > 0 ? others.reduce(eitherType) : undefined,
    items: parts.map(({ items }) => items).reduce(eitherType),
    hasPlaces: names.some((name) => name === "Destination" || name === "ElementSlots"),
    isTree: names.some((name) => name.startsWith("^")),
    isPointer: names.every((name) => name.startsWith("~")),
    has: (name) => names.includes(name),
  };
}

interface Part {
  readonly keys: ReadonlyMap<string, string>;
  readonly otherKeys?: string | undefined;
  readonly items: string;
}

function onePart(name: string): Part {
  const [sign, rest] = [name.slice(0, 1), name.slice(1)];
  if (name === PRIVATE) return { keys: PRIVATE_KEYS, otherKeys: PRIVATE, items: PRIVATE };
  if (sign === "~") return onePart(rest);
  if (sign === "*") return { keys: new Map(), otherKeys: rest, items: rest };
  if (sign === "^") return { keys: new Map(), items: rest };
  if (sign === "#") {
    const list = `^${rest}`;
    return { keys: keysFrom(["Limits", `Kids:${name}`, `Names:${list}`, `Nums:${list}`]), items: name };
  }
  const keys = entries.get(name) ?? new Map<string, string>();
  return { keys, otherKeys: keys.get("*"), items: ITEMS[name] ?? name };
}
