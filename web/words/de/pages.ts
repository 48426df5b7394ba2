import type { PageWords } from "../en/pages.ts";
import type { Translation } from "../translation.ts";
import { plural } from "../plural.ts";

/** What the menu and the heads of the pages say in German. */
export const pages: Translation<PageWords> = {
  pages: {
    share: {
      label: "Geheimnis teilen",
      title: "Ein Geheimnis teilen",
      summary: "Ein Link, der sich einmal öffnen lässt. Verschlüsselt, bevor etwas Ihren Browser verlässt.",
    },
    open: {
      label: "Link öffnen",
      title: "Einen Link öffnen",
      summary: "Einen Link einfügen, den Sie bekommen haben.",
    },
    "pdf-merge": {
      label: "Zusammenfügen",
      title: "PDFs zusammenfügen",
      summary: "Dokumente in beliebiger Reihenfolge verbinden, mit den Seiten Ihrer Wahl.",
    },
    "pdf-split": {
      label: "Aufteilen",
      title: "Ein PDF aufteilen",
      summary: "Eine Datei pro Seite, oder Seiten behalten oder entfernen.",
    },
    "pdf-rotate": {
      label: "Drehen",
      title: "Ein PDF drehen",
      summary: "Alle Seiten drehen oder nur einige.",
    },
    "pdf-clean": {
      label: "Bereinigen",
      title: "Ein PDF bereinigen",
      summary: "Entfernen, was niemand darin finden soll.",
    },
    "pdf-compress": {
      label: "Verkleinern",
      title: "Ein PDF verkleinern",
      summary: "Damit es zum Beispiel in eine E-Mail passt.",
    },
    "pdf-lock": {
      label: "Verschließen",
      title: "Ein PDF verschließen",
      summary: "Es öffnet sich nur noch mit einem Passwort Ihrer Wahl.",
    },
    "pdf-unlock": {
      label: "Entsperren",
      title: "Ein PDF entsperren",
      summary: "Ein bekanntes Passwort und Einschränkungen entfernen.",
    },
    "image-convert": {
      label: "Bild umwandeln",
      title: "Ein Bild umwandeln",
      summary: "In WebP, JPEG, PNG oder AVIF, ohne Orts- und Kameradaten.",
    },
    "file-encrypt": {
      label: "Datei verschließen",
      title: "Eine Datei verschließen",
      summary: "Jede Datei mit einem Passwort verschlüsseln oder eine verschlossene öffnen.",
    },
    "file-hash": {
      label: "Prüfsumme",
      title: "Eine Datei prüfen",
      summary: "SHA-256, BLAKE3, MD5 und andere, verglichen mit der erwarteten Prüfsumme.",
    },
    "text-compare": {
      label: "Vergleichen",
      title: "Zwei Texte vergleichen",
      summary: "Nebeneinander oder als Patch, nach Zeilen, Wörtern oder Zeichen.",
    },
    password: {
      label: "Passwort",
      title: "Ein Passwort erzeugen",
      summary: "Zufällige Zeichen oder Wörter, mit Angabe der Stärke.",
    },
    account: { label: "Konto", title: "Konto", summary: "Ihre Geheimnisse, Tokens und Anmeldungen." },
    "how-it-works": {
      label: "So funktioniert es",
      title: "So funktioniert es",
      summary: "Wo der Schlüssel ist, was der Server sieht und was er nicht kann.",
    },
    verify: {
      label: "Seiten prüfen",
      title: "Diese Seiten prüfen",
      summary: "Finden Sie heraus, ob es die veröffentlichten sind.",
    },
    docs: {
      label: "API",
      title: "API",
      summary: "Alles, was diese Seiten können, für Skripte und Programme.",
    },
    tools: { label: "Alle Werkzeuge", title: "Alle Werkzeuge", summary: "Alle Werkzeuge auf einen Blick." },
    members: {
      label: "Mitglieder",
      title: "Mitglieder dieser Instanz",
      summary: "Konten ansehen, sperren und löschen.",
    },
    received: {
      label: "Mit Hushkit geteilt",
      title: "Mit Hushkit geteilt",
      summary: "Was ein anderes Programm mit diesen Seiten geteilt hat.",
    },
    "not-found": { title: "Seite nicht gefunden" },
    ask: {
      label: "Geheimnis anfordern",
      title: "Ein Geheimnis anfordern",
      summary: "Ein Link, über den jemand einmal antworten kann. Nur Sie können die Antwort lesen.",
    },
    answer: { title: "Jemand bittet Sie um ein Geheimnis" },
    collect: { title: "Ihre Anfrage" },
  },
  tools: { lead: "Sie arbeiten in Ihrem Browser. Was Sie ihnen geben, bleibt auf Ihrem Gerät." },
  notFound: { lead: "Vielleicht haben Sie eine von diesen gesucht." },
  find: {
    open: "Seite oder Werkzeug finden",
    field: "Seite oder Werkzeug",
    list: "Seiten und Werkzeuge",
    none: "Nichts heißt so. Versuchen Sie ein anderes Wort.",
    count: plural({ one: "{count} gefunden", other: "{count} gefunden" }),
  },
};
