import type { TrustWords } from "../en/trust.ts";
import type { Translation } from "../translation.ts";

/** What says why the service can be trusted, in German. */
export const trust: Translation<TrustWords> = {
  trust: {
    title: "Hier versiegelt, einmal geöffnet",
    verifiable: "Jede Ausgabe lässt sich prüfen, Byte für Byte.",
    journey: {
      sealed: {
        title: "Hier versiegelt",
        text: "Ihr Browser verschlüsselt, bevor etwas ihn verlässt. Der Server hat nie den Schlüssel.",
      },
      sent: {
        title: "Als Link gesendet",
        text: "Das Laden der Seite öffnet nichts, auch keine Vorschau in einem Chat.",
      },
      opened: {
        title: "Einmal geöffnet",
        text: "Von dem, der den Link zuerst hat. Dann ist der Inhalt gelöscht, und Sie sehen es.",
      },
    },
  },
};
