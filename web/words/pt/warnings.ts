import type { WarningCode } from "../../../wire/tool-warning.ts";
import type { Translation } from "../translation.ts";

/** What the tools lost or ignored, in Portuguese, by the code of the warning. */
export const warnings: Translation<Readonly<Record<WarningCode, string>>> = {
  xref_rebuilt: "O documento estava danificado e foi reparado.",
  objects_found: "O documento estava danificado. Partes que faltavam foram procuradas e encontradas.",
  objects_lost: "O documento está danificado. Partes dele podem ter se perdido.",
  pages_lost: "O documento está danificado. Faltam algumas páginas.",
  pages_found:
    "O documento está danificado. As páginas foram procuradas e encontradas, talvez em outra ordem.",
  damage_left: "O documento está danificado e foi deixado como estava.",
  content_unreadable:
    "Algumas páginas estão danificadas. O resultado pode conter partes de páginas que ficaram de fora.",
  signatures_broken: "As assinaturas digitais não são mais válidas.",
  certification_broken: "A certificação do documento não é mais válida.",
  usage_rights_broken: "Os direitos extras que o documento concede no Adobe Reader não são mais válidos.",
  xfa_left_out: "Os formulários XML (XFA) ficaram de fora. Os campos simples permanecem.",
  threads_left_out: "As sequências de artigos ficaram de fora.",
  portfolio_left_out: "O documento era um portfólio. O resultado é um documento comum.",
  media_left_out: "As mídias que só scripts conseguem reproduzir ficaram de fora.",
  attachments_left_out: "Os anexos ficaram de fora dos arquivos separados.",
  scripts_left_out: "Os scripts ficaram de fora dos arquivos separados.",
  parts_too_large: "Arquivos com uma página maior do que o pedido: {files}.",
  tags_left_out: "As marcas de acessibilidade ficaram de fora, porque contradizem as de outro documento.",
  tags_not_repeated: "As páginas que se repetem só têm marcas de acessibilidade na primeira vez.",
  language_left_out: "O idioma indicado no documento ficou de fora.",
  fields_renamed:
    "Campos de formulário foram renomeados, porque outro arquivo tem campos com os mesmos nomes. Os scripts continuam usando os nomes antigos.",
  fields_not_drawn: "Alguns campos de formulário têm um valor, mas nada que o mostre. Nada deles permanece.",
  standard_lost: "O resultado não diz mais ser {standard}, porque não atende à seção {clause} dessa norma.",
  standard_unchecked: "O documento diz ser {standard}. No resultado, só a estrutura foi verificada.",
  standard_not_shared: "O resultado não diz mais ser {standard}, porque este arquivo não diz isso.",
  images_too_large: "Imagens grandes demais para serem reduzidas, que ficam como estavam: {images}.",
  image_damaged: "A imagem está danificada. Pode faltar uma parte dela.",
  first_frame_only: "Só o primeiro de {frames} quadros está no resultado. O WebP mantém todos.",
  first_frame_in_browser:
    "Só o primeiro de {frames} quadros está no resultado. No servidor, todos são mantidos.",
  first_picture_only: "Só a primeira imagem do arquivo está no resultado.",
  depth_reduced: "Os 16 bits de cada canal passaram a ser 8.",
  gain_map_left_out: "O mapa de ganho para telas HDR não está no resultado.",
  image_metadata_kept: "A imagem mantém os metadados, como lugar e hora; “Limpar um PDF” os remove.",
  only_normalization_differs:
    "Os textos só diferem na normalização Unicode dos caracteres (como NFC e NFD), por isso parecem iguais.",
  unknown_parameter: "A opção “{parameter}” não é conhecida e foi ignorada.",
  more_unknown_parameters: "Outras opções não são conhecidas e foram ignoradas.",
  more_files_ignored: "Só o primeiro arquivo foi lido. Os outros foram ignorados.",
  body_stored_as_is: "O texto foi guardado exatamente como foi enviado.",
};
