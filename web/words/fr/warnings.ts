import type { WarningCode } from "../../../wire/tool-warning.ts";
import type { Translation } from "../translation.ts";

/** What the tools lost or ignored, in French, by the code of the warning. */
export const warnings: Translation<Readonly<Record<WarningCode, string>>> = {
  xref_rebuilt: "Le document était endommagé et a été réparé.",
  objects_found: "Le document était endommagé. Des parties manquantes ont été recherchées et retrouvées.",
  objects_lost: "Le document est endommagé. Certaines parties sont peut-être perdues.",
  pages_lost: "Le document est endommagé. Il manque des pages.",
  pages_found:
    "Le document est endommagé. Ses pages ont été recherchées et retrouvées, peut-être dans un autre ordre.",
  damage_left: "Le document est endommagé et n’a pas été modifié.",
  content_unreadable:
    "Certaines pages sont endommagées. Le résultat peut contenir des éléments de pages qui ont été écartées.",
  signatures_broken: "Les signatures numériques ne sont plus valables.",
  certification_broken: "La certification du document n’est plus valable.",
  usage_rights_broken:
    "Les droits supplémentaires que le document accorde dans Adobe Reader ne sont plus valables.",
  xfa_left_out: "Les formulaires XML (XFA) ont été omis. Les champs simples restent.",
  threads_left_out: "Les fils d’articles ont été omis.",
  portfolio_left_out: "Le document était un portfolio. Le résultat est un document ordinaire.",
  media_left_out: "Les médias que seuls des scripts peuvent lire ont été omis.",
  attachments_left_out: "Les pièces jointes ont été omises des fichiers séparés.",
  scripts_left_out: "Les scripts ont été omis des fichiers séparés.",
  parts_too_large: "Fichiers d’une page plus grande que demandé : {files}.",
  tags_left_out:
    "Les balises d’accessibilité ont été omises, car elles contredisent celles d’un autre document.",
  tags_not_repeated:
    "Les pages reprises plusieurs fois n’ont de balises d’accessibilité que la première fois.",
  language_left_out: "La langue indiquée dans le document a été omise.",
  fields_renamed:
    "Des champs de formulaire ont été renommés, car un autre fichier a des champs du même nom. Les scripts utilisent encore les anciens noms.",
  fields_not_drawn:
    "Certains champs de formulaire ont une valeur, mais rien qui l’affiche. Il n’en reste rien.",
  standard_lost:
    "Le résultat ne se dit plus conforme à {standard}, car il ne respecte pas l’article {clause} de cette norme.",
  standard_unchecked:
    "Le document se dit conforme à {standard}. Pour le résultat, seule la structure a été vérifiée.",
  standard_not_shared: "Le résultat ne se dit plus conforme à {standard}, car ce fichier ne le dit pas.",
  images_too_large: "Images trop grandes pour être réduites, laissées telles quelles : {images}.",
  image_damaged: "L’image est endommagée. Il peut en manquer une partie.",
  first_frame_only:
    "Seule la première des {frames} images de l’animation est dans le résultat. Le format WebP les garde toutes.",
  first_frame_in_browser:
    "Seule la première des {frames} images de l’animation est dans le résultat. Sur le serveur, elles sont toutes gardées.",
  first_picture_only: "Seule la première image du fichier est dans le résultat.",
  depth_reduced: "Les 16 bits de chaque canal sont devenus 8.",
  gain_map_left_out: "La carte de gain pour les écrans HDR n’est pas dans le résultat.",
  image_metadata_kept:
    "L’image garde ses métadonnées, comme le lieu et l’heure ; « Nettoyer un PDF » les retire.",
  only_normalization_differs:
    "Les textes ne diffèrent que par la normalisation Unicode de leurs caractères (comme NFC et NFD) ; ils ont donc le même aspect.",
  unknown_parameter: "L’option « {parameter} » n’est pas connue et a été ignorée.",
  more_unknown_parameters: "D’autres options ne sont pas connues et ont été ignorées.",
  more_files_ignored: "Seul le premier fichier a été lu. Les autres ont été ignorés.",
  body_stored_as_is: "Le texte a été enregistré tel qu’il a été envoyé.",
};
