/** The values in the sentence of a warning. */
export interface WarningFields {
  /** The name that was sent. */
  readonly parameter: string;
  /** The most similar known name. */
  readonly nearest?: string;
  /** How many images. */
  readonly images: number;
  /** Frames of an animation. */
  readonly frames: number;
  /** Such as PDF/A-1; with its level, such as PDF/A-1a, where only that level is meant. */
  readonly standard: string;
  /** How many form fields. */
  readonly fields: number;
  /** How many files of a result. */
  readonly files: number;
  /** The clause of that standard, such as 6.1.3. */
  readonly clause: string;
}

/**
 * The sentence of every warning, with fields in braces; a part in brackets is left out where its field is absent.
 * Types, OpenAPI document and docs/warnings.md follow from this table.
 */
export const WARNINGS = {
  xref_rebuilt: "The cross-reference of the document was damaged and has been rebuilt.",
  objects_found: "Objects that the cross-reference of the document does not list were found by a search.",
  objects_lost: "Objects of the document are damaged; they may be lost, or a part of them.",
  pages_lost: "The page tree of the document is damaged; pages that it does not lead to are missing.",
  pages_found:
    "The page tree of the document is damaged; its pages were found by a search, perhaps in another order.",
  damage_left: "The document is damaged and was left as it is.",
  content_unreadable:
    "The content of some pages is damaged, so everything that it may use was kept, even if it belongs to pages that were left out.",
  signatures_broken: "Signatures of the document no longer hold.",
  certification_broken: "The certification of the document no longer holds.",
  usage_rights_broken: "The rights that the document grants in Adobe Reader no longer hold.",
  restrictions_removed: "The restrictions of the document, such as on printing and copying, were removed.",
  xfa_left_out: "The XML form (XFA) was left out; the plain fields remain.",
  threads_left_out: "Article threads were left out.",
  portfolio_left_out: "The document was a portfolio; the result is a document with pages.",
  media_left_out: "Media that only scripts can play were left out.",
  attachments_left_out: "Attachments were left out of the parts.",
  scripts_left_out: "Scripts were left out of the parts.",
  parts_too_large: "Files with one page that is larger than asked: {files}.",
  tags_not_repeated: "Pages that were taken again have no tags the second time.",
  language_left_out: "The language of the document was left out.",
  fields_renamed:
    "Form fields were renamed, since another file has fields of the same names; scripts that name them do not follow.",
  fields_not_drawn: "Form fields whose value could not be drawn as readers show it: {fields}.",
  standard_lost: "The result no longer claims {standard}, since it does not fulfill clause {clause}.",
  standard_unchecked:
    "The metadata claims {standard}, of which only the structure of the result was checked.",
  standard_not_shared: "The result no longer claims {standard}, since this file does not.",
  images_too_large: "Images that are too large to be made smaller, and stay as they are: {images}.",
  image_damaged: "The file is damaged; a part of what it shows can be missing.",
  first_frame_only: 'Only the first of {frames} frames is in the result; "webp" keeps all of them.',
  first_frame_in_browser: "Only the first of {frames} frames is in the result; the server keeps all of them.",
  first_picture_only: "Only the first picture of the file is in the result.",
  depth_reduced: "The 16 bits of each channel became 8.",
  gain_map_left_out: "The gain map for HDR screens is not in the result.",
  image_metadata_kept: "The image keeps its metadata, such as place and time; pdf-clean takes it out.",
  only_normalization_differs:
    "The texts differ only in the Unicode normalization of their characters (such as NFC and NFD), so that they look the same.",
  unknown_parameter: 'Parameter "{parameter}" is not known and was ignored[; did you mean "{nearest}"?]',
  more_unknown_parameters: "More parameters are not known and were ignored",
  more_files_ignored: "Only the first file part is read; the others were ignored",
  body_stored_as_is:
    "the body was stored as it is; send Content-Type: application/json to have its fields read",
} as const;

export type WarningCode = keyof typeof WARNINGS;

type FieldsIn<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | FieldsIn<Rest>
  : never;

type PlainCode = {
  [Code in WarningCode]: [FieldsIn<(typeof WARNINGS)[Code]>] extends [never] ? Code : never;
}[WarningCode];

type WarningWithFields = {
  [Code in Exclude<WarningCode, PlainCode>]: { readonly code: Code } & Pick<
    WarningFields,
    FieldsIn<(typeof WARNINGS)[Code]>
  >;
}[Exclude<WarningCode, PlainCode>];

/** What was lost or ignored, as data; `file` is the index from 0 where several files were sent. */
export type ToolWarning = ({ readonly code: PlainCode } | WarningWithFields) & {
  readonly file?: { readonly index: number; readonly name?: string };
};

/** A warning as the API's callers get it. */
export type DescribedWarning = ToolWarning & { readonly message: string };

export const warningCodes = Object.keys(WARNINGS).filter(isWarningCode);

export function isWarningCode(text: string): text is WarningCode {
  return Object.hasOwn(WARNINGS, text);
}

/** Adds the English sentences; one about one of several files begins with the number of the file. */
export function describeWarnings(warnings: readonly ToolWarning[], fileCount = 1): DescribedWarning[] {
  return warnings.map((warning) => {
    const label = warning.file ? `File ${warning.file.index + 1} of ${fileCount}: ` : "";
    return { ...warning, message: label + warningSentence(warning) };
  });
}

/** The English sentence of a warning, without its file number. */
export function warningSentence({ code, ...fields }: ToolWarning): string {
  const values: Readonly<Record<string, unknown>> = fields;
  return WARNINGS[code]
    .replace(/\[(.*?\{(\w+)\}.*?)\]/g, (_, part: string, name: string) =>
      values[name] === undefined ? "" : part,
    )
    .replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
