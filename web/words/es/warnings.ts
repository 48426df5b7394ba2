import type { WarningCode } from "../../../wire/tool-warning.ts";
import type { Translation } from "../translation.ts";

/** What the tools lost or ignored, in Spanish, by the code of the warning. */
export const warnings: Translation<Readonly<Record<WarningCode, string>>> = {
  xref_rebuilt: "El documento estaba dañado y se ha reparado.",
  objects_found: "El documento estaba dañado. Se han buscado y encontrado partes que faltaban.",
  objects_lost: "El documento está dañado. Es posible que se hayan perdido partes.",
  pages_lost: "El documento está dañado. Faltan algunas páginas.",
  pages_found: "El documento está dañado. Sus páginas se han buscado y encontrado, quizá en otro orden.",
  damage_left: "El documento está dañado y se ha dejado como estaba.",
  content_unreadable:
    "Algunas páginas están dañadas. El resultado puede contener partes de páginas que se omitieron.",
  signatures_broken: "Las firmas digitales ya no son válidas.",
  certification_broken: "La certificación del documento ya no es válida.",
  usage_rights_broken: "Los derechos adicionales que el documento concede en Adobe Reader ya no son válidos.",
  xfa_left_out: "Los formularios XML (XFA) se han omitido. Los campos simples se mantienen.",
  threads_left_out: "Los hilos de artículos se han omitido.",
  portfolio_left_out: "El documento era una cartera. El resultado es un documento corriente.",
  media_left_out: "Los contenidos multimedia que solo se reproducen con scripts se han omitido.",
  attachments_left_out: "Los archivos adjuntos se han omitido en los archivos separados.",
  scripts_left_out: "Los scripts se han omitido en los archivos separados.",
  parts_too_large: "Archivos con una página mayor de lo pedido: {files}.",
  tags_left_out: "Las etiquetas de accesibilidad se han omitido, porque contradicen las de otro documento.",
  tags_not_repeated: "Las páginas que se repiten solo tienen etiquetas de accesibilidad la primera vez.",
  language_left_out: "El idioma indicado en el documento se ha omitido.",
  fields_renamed:
    "Algunos campos de formulario se han renombrado, porque otro archivo tiene campos con los mismos nombres. Los scripts siguen usando los nombres antiguos.",
  fields_not_drawn:
    "Algunos campos de formulario tienen un valor, pero nada que lo muestre. No queda nada de ellos.",
  standard_lost:
    "El resultado ya no dice ser {standard}, porque no cumple el apartado {clause} de esa norma.",
  standard_unchecked:
    "El documento dice ser {standard}. En el resultado solo se ha comprobado la estructura.",
  standard_not_shared: "El resultado ya no dice ser {standard}, porque este archivo no lo dice.",
  images_too_large: "Imágenes demasiado grandes para reducirlas, que quedan como estaban: {images}.",
  image_damaged: "La imagen está dañada. Puede faltar una parte.",
  first_frame_only: "Solo el primero de {frames} fotogramas está en el resultado. WebP los conserva todos.",
  first_frame_in_browser:
    "Solo el primero de {frames} fotogramas está en el resultado. En el servidor se conservan todos.",
  first_picture_only: "Solo la primera imagen del archivo está en el resultado.",
  depth_reduced: "Los 16 bits de cada canal pasaron a ser 8.",
  gain_map_left_out: "El mapa de ganancia para pantallas HDR no está en el resultado.",
  image_metadata_kept: "La imagen conserva sus metadatos, como lugar y hora; «Limpiar un PDF» los quita.",
  only_normalization_differs:
    "Los textos solo difieren en la normalización Unicode de sus caracteres (como NFC y NFD), por eso se ven iguales.",
  unknown_parameter: "La opción «{parameter}» no se conoce y se ha ignorado.",
  more_unknown_parameters: "Otras opciones no se conocen y se han ignorado.",
  more_files_ignored: "Solo se ha leído el primer archivo. Los demás se han ignorado.",
  body_stored_as_is: "El texto se ha guardado tal como se envió.",
};
