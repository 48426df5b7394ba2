import type { FileWords } from "../en/files.ts";
import type { Translation } from "../translation.ts";

/** What is said of files on all pages, in German. */
export const files: Translation<FileWords> = {
  files: {
    pdf: "PDF",
    pdfs: "PDFs",
    pages: "PDFs oder Bilder",
    morePages: "Weitere PDFs oder Bilder",
    images: "Bilder",
    any: "Datei",
    anyMore: "Weitere Datei",
    several: "Dateien",
    drop: "{what} hier ablegen oder einfügen, oder",
    choose: "{what} auswählen",
    add: "{what} hinzufügen",
    dropHint: "Hochgeladen wird nur, wenn Sie „Auf dem Server“ wählen.",
    refused: {
      pdf: "Kein PDF und daher nicht übernommen: {names}",
      image: "Kein Bild, das hier gelesen werden kann, und daher nicht übernommen: {names}",
      page: "Weder ein PDF noch ein Bild, das hier gelesen werden kann, und daher nicht übernommen: {names}",
      text: "Kein Text und daher nicht übernommen: {names}",
    },
    chooseOther: "Andere Datei auswählen",
    onlyOne: "Diese Seite nimmt jeweils eine Datei, daher nicht übernommen: {names}",
    folders: "Ordner lassen sich nicht übernehmen, nur die Dateien darin: {names}",
    unreadable: "Nicht mehr vorhanden oder nicht lesbar: {names}",
    where: "Wo",
    places: { here: "In diesem Browser", server: "Auf dem Server" },
    placeHints: {
      here: "Nichts verlässt Ihr Gerät.",
      server:
        "Wird an den Server gesendet, der die Datei nur während der Arbeit im Speicher hält und nichts davon ablegt.",
    },
    old: "Sie haben seitdem etwas geändert. Für ein neues Ergebnis starten Sie noch einmal.",
    next: "Damit weiterarbeiten:",
    suggest: "Ein Passwort vorschlagen",
    openLocked: "Verschlossene Datei öffnen",
    saveOne: "{name} speichern",
    saveAll: "Alle speichern",
    undo: "Zurück zu den Dateien",
    chosen: "Ausgewählte Dateien",
    sendOnce: "Einmalig verschicken",
  },
  received: {
    lead: "Was möchten Sie damit tun? Es wurde noch nichts verschickt.",
    nothingTitle: "Es ist nichts angekommen",
    nothing:
      "Der Browser hat nichts übergeben. Teilen Sie es noch einmal, oder wählen Sie eine Seite und geben Sie ihr die Datei dort.",
  },
  order: {
    moved: "{name} ist jetzt Nummer {number} von {count}",
    up: "{name} nach oben",
    down: "{name} nach unten",
    remove: "{name} entfernen",
  },
};
