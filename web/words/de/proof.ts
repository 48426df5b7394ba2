import type { ProofWords } from "../en/proof.ts";
import type { Translation } from "../translation.ts";

/** What explains how secrets are kept, and how the pages are verified, in German. */
export const proof: Translation<ProofWords> = {
  proof: {
    drawing: {
      seen: "Was der Server sieht: eine Nummer, unter der er Bytes verwahrt, die er nicht lesen kann.",
      kept: "Was er nie sieht: den Schlüssel. Browser senden nicht, was hinter dem # steht.",
    },
    how: {
      lead: "Was zwischen Ihrer Tastatur und dem Bildschirm Ihres Lesers geschieht und was dazwischen niemand kann.",
      sealed: {
        title: "In Ihrem Browser versiegelt",
        text: "Ihr Browser erzeugt einen zufälligen Schlüssel von 256 Bit und verschlüsselt damit, was Sie eingegeben haben, und Ihre Dateien samt ihren Namen (AES-256-GCM). Erst dann wird etwas gesendet.",
      },
      link: {
        title: "Der Schlüssel ist im Link",
        text: "Er steht hinter dem #, und das behalten Browser für sich. Wer den Server betreibt oder entwendet, hat Bytes ohne Schlüssel.",
      },
      once: {
        title: "Einmal geöffnet",
        text: "Das Laden der Seite öffnet nichts, Vorschauen in Chats schaden also nicht. Nur die Schaltfläche öffnet: Der Server gibt die Bytes einem Leser und sagt allen danach, dass sie geöffnet wurden.",
      },
      gone: {
        title: "Dann wird es gelöscht",
        text: "Zehn Minuten lang kann der Tab des Lesers noch einmal fragen, falls die Verbindung abbricht. Dann werden die Bytes gelöscht. Was niemand öffnet, wird zu der Zeit gelöscht, die Sie gewählt haben.",
      },
      knows: {
        title: "Was der Server weiß",
        text: "Wie groß es ist und wann es entstand und endete. Um Aufrufe zu zählen, behält er eine Zeit lang einen Hash von Adressen mit geheimem Schlüssel. Weder Inhalt noch Dateiname, Schlüssel oder Passwort steht in einem Protokoll.",
      },
      cannot: {
        title: "Wobei kein Server helfen kann",
        text: "Wer den ganzen Link zuerst hat, kann öffnen: Vergeben Sie eine Passphrase, und senden Sie sie auf anderem Weg. Und Sie verlassen sich auf die Seiten, die Ihr Browser lädt. Deshalb lassen sie sich prüfen.",
      },
    },
    verify: {
      lead: "Was verschlüsselt, ist das, was dieser Server Ihrem Browser sendet. Sehen Sie also selbst nach, ob es das Veröffentlichte ist.",
      read: {
        title: "Sehen, welche Seiten es sind",
        text: "Die Version und der Hash über alle Dateien dieser Seiten, wie sie ihn selbst am Fuß jeder Seite angeben:",
      },
      compare: {
        title: "Von anderswo vergleichen",
        text: "Von jedem Rechner mit Node. Der Befehl holt jede Datei dieser Seiten und vergleicht sie mit der veröffentlichten:",
      },
      build: {
        title: "Oder selbst bauen",
        text: "Derselbe Quelltext ergibt auf jedem Rechner dieselben Bytes. Holen Sie den Quelltext dieser Version, bauen Sie ihn, und vergleichen Sie die Hashes.",
      },
      limits: {
        title: "Was das nicht beweist",
        text: "Ein Server könnte Ihnen andere Seiten senden als allen anderen. Wo es darauf ankommt, nehmen Sie die Kommandozeile: Sie nimmt keine Seiten von einem Server.",
      },
    },
  },
};
