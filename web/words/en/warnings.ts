import type { WarningCode } from "../../../wire/tool-warning.ts";

/** What the tools lost or ignored, in English, by the code of the warning. */
export const warnings: Readonly<Record<WarningCode, string>> = {
  xref_rebuilt: "The document was damaged, and has been repaired.",
  objects_found: "The document was damaged. Missing parts were searched for and found.",
  objects_lost: "The document is damaged. Parts of it may be lost.",
  pages_lost: "The document is damaged. Some pages are missing.",
  pages_found: "The document is damaged. Its pages were searched for and found, perhaps in another order.",
  damage_left: "The document is damaged, and was left as it is.",
  content_unreadable: "Some pages are damaged. The result may contain parts of pages that were left out.",
  signatures_broken: "Digital signatures are no longer valid.",
  certification_broken: "The certification of the document is no longer valid.",
  usage_rights_broken: "The extra rights that the document grants in Adobe Reader are no longer valid.",
  xfa_left_out: "XML forms (XFA) were left out. Plain form fields remain.",
  threads_left_out: "Article threads were left out.",
  portfolio_left_out: "The document was a portfolio. The result is an ordinary document.",
  media_left_out: "Media that only scripts can play were left out.",
  attachments_left_out: "Attachments were left out of the parts.",
  scripts_left_out: "Scripts were left out of the parts.",
  parts_too_large: "Files with one page that is larger than asked: {files}.",
  tags_left_out: "The accessibility tags were left out, because they contradict those of another document.",
  tags_not_repeated: "Pages that appear again have accessibility tags only the first time.",
  language_left_out: "The language that is set in the document was left out.",
  fields_renamed:
    "Form fields were renamed, because another file has fields with the same names. Scripts still use the old names.",
  fields_not_drawn: "Some form fields have a value, but nothing that shows it. Nothing of them is left.",
  standard_lost:
    "The result no longer says that it is {standard}, because it does not meet clause {clause} of that standard.",
  standard_unchecked:
    "The document says that it is {standard}. Of this, only the structure of the result was checked.",
  standard_not_shared: "The result no longer says that it is {standard}, because this file does not say so.",
  images_too_large: "Images that are too large to be made smaller, and stay as they are: {images}.",
  image_damaged: "The image is damaged. Part of it may be missing.",
  first_frame_only: "Only the first of {frames} frames is in the result. WebP keeps all of them.",
  first_frame_in_browser:
    "Only the first of {frames} frames is in the result. On the server, all of them are kept.",
  first_picture_only: "Only the first image of the file is in the result.",
  depth_reduced: "The 16 bits of each channel became 8.",
  gain_map_left_out: "The gain map for HDR screens is not in the result.",
  image_metadata_kept: "The image keeps its metadata, such as place and time; “Clean a PDF” takes it out.",
  only_normalization_differs:
    "The texts differ only in the Unicode normalization of their characters (such as NFC and NFD), so they look the same.",
  unknown_parameter: "The option “{parameter}” is not known and was ignored.",
  more_unknown_parameters: "More options are not known and were ignored.",
  more_files_ignored: "Only the first file was read. The others were ignored.",
  body_stored_as_is: "The text was stored exactly as it was sent.",
};
