/** What people call the pages in German, besides the words of the pages themselves. */
export const terms = {
  share: "senden schicken Nachricht Notiz Einmal-Link verschicken übergeben weitergeben",
  ask: "anfordern bitten erhalten empfangen Anfrage Briefkasten",
  open: "lesen ansehen anzeigen empfangen Link",
  "pdf-merge": "verbinden vereinen zusammenführen anhängen mergen kombinieren Bilder in PDF Foto Scan",
  "pdf-split": "trennen teilen zerlegen Seiten löschen entfernen entnehmen extrahieren sortieren",
  "pdf-rotate": "wenden kippen Hochformat Querformat Ausrichtung kopfüber",
  "pdf-clean": "säubern Metadaten entfernen Skripte Anhänge Kommentare reparieren schwärzen",
  "pdf-compress": "komprimieren kleiner machen Größe reduzieren E-Mail optimieren",
  "pdf-lock": "sperren schützen verschlüsseln Passwort Kennwort Rechte",
  "pdf-unlock": "entschlüsseln Passwort Kennwort entfernen aufheben Schutz öffnen",
  "image-convert":
    "Foto Bild konvertieren verkleinern skalieren Größe ändern zuschneiden drehen Standort Exif Metadaten entfernen jpg heic",
  "file-encrypt": "verschlüsseln entschlüsseln öffnen Passwort Kennwort Schlüssel age",
  "file-hash": "Prüfsumme Hash Download prüfen Integrität sha256 md5",
  "text-compare": "Unterschiede Änderungen Diff Abgleich",
  password: "Kennwort Passphrase Generator zufällig PIN erzeugen Stärke",
  account: "Anmelden Login registrieren Einstellungen Tokens Passkey Profil abmelden",
  docs: "Dokumentation Schnittstelle Entwickler curl REST",
  "how-it-works": "Sicherheit Verschlüsselung Vertrauen Datenschutz Erklärung Ende-zu-Ende Server",
  verify: "Vertrauen vergleichen prüfen Veröffentlichung Fingerabdruck unverändert",
  tools: "Werkzeuge Übersicht Liste alles",
};
