import type { DocsWords } from "../en/docs.ts";
import type { Translation } from "../translation.ts";

/** What the reference of the API says in German. */
export const docs: Translation<DocsWords> = {
  docs: {
    lead: "Alles, was diese Seiten können, für Skripte und Programme. Ein Konto ist nicht nötig; ein Token hebt die Grenzen an. Die Beschreibungen sind auf Englisch.",
    loading: "Die Referenz wird geladen …",
    openapi: "OpenAPI-3.1-Dokument",
    catalogue: "Katalog mit Ihren Grenzen",
    rpc: "Dieselben Prozeduren gibt es als typisiertes RPC unter {path}.",
    limits: "Ihre Grenzen jetzt",
    asMember: "Als Mitglied.",
    asGuest: "Ohne Konto.",
    units: "Auf allen Seiten sind 1 kB 1.024 Bytes und 1 MB 1.024 kB.",
    limitNames: {
      calls: "Aufrufe der Werkzeuge",
      concurrentCalls: "Gleichzeitige Aufrufe",
      fileSize: "Größe einer Datei",
      totalSize: "Größe aller Dateien eines Aufrufs",
      pixels: "Pixel eines Bildes, in allen Einzelbildern",
      secretLength: "Zeichen eines Geheimnisses",
      secretExpires: "Lebensdauer eines Geheimnisses",
      secretCreates: "Neue Geheimnisse",
      secretReads: "Öffnen und Prüfen von Geheimnissen",
    },
    upTo: "bis zu {value}",
    inWindow: "{value} in {window}",
    left: "{value}, jetzt noch {remaining}",
    body: "Body:",
    parameters: "Parameter",
    bodyFields: "Felder des Bodys",
    answer: "Antwort {status}:",
    answerKeys: "Schlüssel der JSON-Antwort",
    failures: "Fehler",
    required: "nötig",
    default: "Standard: {value}.",
  },
};
