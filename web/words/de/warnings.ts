import type { WarningCode } from "../../../wire/tool-warning.ts";
import type { Translation } from "../translation.ts";

/** What the tools lost or ignored, in German, by the code of the warning. */
export const warnings: Translation<Readonly<Record<WarningCode, string>>> = {
  xref_rebuilt: "Das Dokument war beschädigt und wurde repariert.",
  objects_found: "Das Dokument war beschädigt. Fehlende Teile wurden gesucht und gefunden.",
  objects_lost: "Das Dokument ist beschädigt. Teile davon können verloren sein.",
  pages_lost: "Das Dokument ist beschädigt. Einige Seiten fehlen.",
  pages_found:
    "Das Dokument ist beschädigt. Seine Seiten wurden gesucht und gefunden, vielleicht in anderer Reihenfolge.",
  damage_left: "Das Dokument ist beschädigt und wurde nicht verändert.",
  content_unreadable:
    "Einige Seiten sind beschädigt. Das Ergebnis kann Teile weggelassener Seiten enthalten.",
  signatures_broken: "Digitale Signaturen sind nicht mehr gültig.",
  certification_broken: "Die Zertifizierung des Dokuments ist nicht mehr gültig.",
  usage_rights_broken:
    "Die zusätzlichen Rechte, die das Dokument in Adobe Reader gewährt, gelten nicht mehr.",
  xfa_left_out: "XML-Formulare (XFA) wurden weggelassen. Einfache Formularfelder bleiben.",
  threads_left_out: "Artikelverkettungen wurden weggelassen.",
  portfolio_left_out: "Das Dokument war ein Portfolio. Das Ergebnis ist ein gewöhnliches Dokument.",
  media_left_out: "Medien, die nur Skripte abspielen können, wurden weggelassen.",
  attachments_left_out: "Anhänge wurden in den einzelnen Dateien weggelassen.",
  scripts_left_out: "Skripte wurden in den einzelnen Dateien weggelassen.",
  parts_too_large: "Dateien mit einer Seite, die größer ist als verlangt: {files}.",
  tags_left_out:
    "Die Tags für die Barrierefreiheit wurden weggelassen, weil sie denen eines anderen Dokuments widersprechen.",
  tags_not_repeated:
    "Seiten, die mehrmals vorkommen, haben nur beim ersten Mal Tags für die Barrierefreiheit.",
  language_left_out: "Die im Dokument angegebene Sprache wurde weggelassen.",
  fields_renamed:
    "Formularfelder wurden umbenannt, weil eine andere Datei gleichnamige Felder hat. Skripte verwenden noch die alten Namen.",
  fields_not_drawn:
    "Einige Formularfelder haben einen Wert, aber nichts, was ihn zeigt. Von ihnen bleibt nichts.",
  standard_lost:
    "Das Ergebnis gibt sich nicht mehr als {standard} aus, weil es Abschnitt {clause} dieser Norm nicht erfüllt.",
  standard_unchecked:
    "Das Dokument gibt sich als {standard} aus. Davon wurde für das Ergebnis nur der Aufbau geprüft.",
  standard_not_shared: "Das Ergebnis gibt sich nicht mehr als {standard} aus, weil diese Datei es nicht tut.",
  images_too_large: "Bilder, die zum Verkleinern zu groß sind und bleiben, wie sie sind: {images}.",
  image_damaged: "Das Bild ist beschädigt. Ein Teil davon kann fehlen.",
  first_frame_only:
    "Nur das erste von {frames} Einzelbildern ist im Ergebnis. Mit WebP bleiben alle erhalten.",
  first_frame_in_browser:
    "Nur das erste von {frames} Einzelbildern ist im Ergebnis. Auf dem Server bleiben alle erhalten.",
  first_picture_only: "Nur das erste Bild der Datei ist im Ergebnis.",
  depth_reduced: "Aus 16 Bit je Kanal wurden 8.",
  gain_map_left_out: "Die Gain-Map für HDR-Bildschirme ist nicht im Ergebnis.",
  image_metadata_kept:
    "Das Bild behält seine Metadaten, etwa Ort und Zeit; „Ein PDF bereinigen“ nimmt sie heraus.",
  only_normalization_differs:
    "Die Texte unterscheiden sich nur in der Unicode-Normalisierung ihrer Zeichen (etwa NFC und NFD) und sehen deshalb gleich aus.",
  unknown_parameter: "Die Option „{parameter}“ ist unbekannt und wurde ignoriert.",
  more_unknown_parameters: "Weitere Optionen sind unbekannt und wurden ignoriert.",
  more_files_ignored: "Nur die erste Datei wurde gelesen. Die anderen wurden ignoriert.",
  body_stored_as_is: "Der Text wurde genau so gespeichert, wie er gesendet wurde.",
};
