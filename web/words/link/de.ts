import type { LinkWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { plural } from "../plural.ts";

/** What the frame and the page behind a link say in German. */
export const words: Translation<LinkWords> = {
  app: {
    skip: "Zum Inhalt springen",
    menu: "Menü",
    navigation: "Seiten",
    loading: "Wird geladen …",
    footer: "Kein Tracking, keine Drittanbieter und keine Cookies, bis Sie sich anmelden. MIT-Lizenz.",
    guestFooter: "Hushkit gibt ein Geheimnis einmal weiter und vergisst es dann.",
    guestLink: "Selbst ein Geheimnis teilen",
    imprint: "Impressum",
    privacy: "Datenschutz",
    contact: "Kontakt",
    language: "Sprache",
    loadFailureTitle: "Diese Seite wurde nicht geladen",
    loadFailureLead: "Entweder ist der Server nicht verfügbar, oder Sie sind offline.",
    tryAgain: "Erneut versuchen",
    groups: { Secrets: "Geheimnisse", PDF: "PDF", Files: "Dateien", Text: "Text", Service: "Dienst" },
    theme: {
      label: "Darstellung: {theme}",
      change: "Darstellung: {theme}. Wechseln zu {next}",
      auto: "wie im System",
      light: "hell",
      dark: "dunkel",
    },
  },
  common: {
    keys: { control: "Strg", enter: "Eingabe" },
    copy: "Kopieren",
    copied: "Kopiert",
    copyFailed: "Bitte selbst markieren und kopieren",
    save: "Speichern",
    saved: "liegt dort, wo Sie sie speichern wollten.",
    running: "{action} …",
    cancel: "Abbrechen",
    keep: "Behalten",
    show: "Anzeigen",
    showField: "{field} anzeigen",
    result: "Ergebnis",
    command: "Als Befehl",
    copyCommand: "Befehl kopieren",
    insecure:
      "Diese Seite wurde über unverschlüsseltes HTTP geladen, wo Browser die Verschlüsselung abschalten. Öffnen Sie sie über HTTPS oder auf localhost.",
    pages: plural({ one: "{count} Seite", other: "{count} Seiten" }),
    files: plural({ one: "{count} Datei", other: "{count} Dateien" }),
    status: {
      active: "Noch nicht geöffnet",
      revealed: "Geöffnet",
      revoked: "Gelöscht",
      expired: "Abgelaufen",
      locked: "Nach zehn falschen Passphrasen gesperrt",
    },
  },
  reveal: {
    title: "Ein Geheimnis für Sie",
    loading: "Es wird geprüft, ob es noch da ist …",
    lead: "Es lässt sich einmal öffnen. Bisher wurde es nicht geöffnet.",
    again: "Sie haben es in diesem Tab geöffnet. Zehn Minuten lang lässt es sich hier noch einmal öffnen.",
    unread: "Bisher wurde es nicht geöffnet.",
    submit: "Geheimnis öffnen",
    busy: "Wird geöffnet …",
    endToEnd: "Ende-zu-Ende-verschlüsselt: Der Server kann es nicht lesen.",
    sealed: "Auf dem Server mit dem Schlüssel aus Ihrem Link verschlüsselt.",
    deletes: "Wird {time} gelöscht, wenn niemand es öffnet.",
    passphrase: "Passphrase",
    passphraseHint: "Der Absender kennt sie. Nach zehn falschen Versuchen wird das Geheimnis gelöscht.",
    wrongTitle: "Diese Passphrase ist falsch",
    triesLeft: plural({
      one: "Sie haben noch einen Versuch. Das Geheimnis wurde nicht geöffnet.",
      other: "Sie haben noch {count} Versuche. Das Geheimnis wurde nicht geöffnet.",
    }),
    noTriesLeft: "Das war der letzte Versuch: Das Geheimnis wurde ungelesen gelöscht.",
    foreignTitle: "Zum Lesen brauchen Sie ein anderes Programm",
    foreign:
      "Der Absender hat es mit einem eigenen Programm verschlüsselt, oder das Ende Ihres Links fehlt: Ein Link zu einem Text, der hier verschlüsselt wurde, endet mit einem Punkt und 43 weiteren Zeichen. Vergleichen Sie Ihren Link mit dem Original, bevor Sie ihn öffnen.",
    command: "Dieser Befehl öffnet es einmal, ohne Browser.",
    incompleteTitle: "Dieser Link ist unvollständig",
    incompleteLead: "Ein Teil fehlt, vielleicht durch einen Zeilenumbruch. Es wurde nichts geöffnet.",
    incompleteAdvice:
      "Lassen Sie sich den Link noch einmal schicken, oder fügen Sie ihn hier vollständig ein.",
    unknownTitle: "Zu diesem Link gibt es kein Geheimnis",
    unknownLead:
      "Vielleicht wurde der Link unterwegs verändert, oder das Geheimnis ist schon so lange abgelaufen, dass nichts mehr davon bekannt ist. Es wurde nichts geöffnet.",
    unknownAdvice: "Vergleichen Sie den Link mit dem Original, oder fügen Sie ihn hier vollständig ein.",
    ends: {
      revealed: {
        title: "Dieses Geheimnis wurde vor Ihnen geöffnet",
        advice:
          "Ein Geheimnis lässt sich nur einmal öffnen. Wenn Sie es nicht waren, hat noch jemand den Link: Sagen Sie dem Absender Bescheid, damit er ändern kann, was darin stand.",
      },
      here: {
        title: "Sie haben dieses Geheimnis schon geöffnet",
        advice:
          "Sie haben es in diesem Tab geöffnet, und auf dem Server ist es gelöscht. Es lässt sich deshalb nicht noch einmal anzeigen. Wenn Sie es nicht aufbewahrt haben, bitten Sie den Absender um einen neuen Link.",
      },
      revoked: {
        title: "Der Absender hat dieses Geheimnis gelöscht",
        advice: "Es wurde gelöscht, bevor jemand es geöffnet hat. Bitten Sie um einen neuen Link.",
      },
      expired: {
        title: "Dieses Geheimnis ist abgelaufen",
        advice: "Seine Zeit war um, bevor jemand es geöffnet hat. Bitten Sie um einen neuen Link.",
      },
      locked: {
        title: "Dieses Geheimnis wurde gesperrt",
        advice:
          "Nach zehn falschen Passphrasen wurde es gelöscht, und niemand hat es gelesen. Sagen Sie dem Absender Bescheid, und bitten Sie um einen neuen Link.",
      },
    },
    file: "Eine Datei, {size}.",
    submitFile: "Datei öffnen",
    askAgain: "Noch einmal darum bitten",
  },
  opened: {
    title: "Das Geheimnis",
    lead: "Kopieren oder speichern Sie es, bevor Sie die Seite schließen.",
    kept: "Der Server behält es zehn Minuten lang für diesen Tab und löscht es dann.",
    keptFor: plural({
      one: "Es lässt sich in diesem Tab noch eine Minute lang erneut öffnen. Dann löscht es der Server.",
      other:
        "Es lässt sich in diesem Tab noch {count} Minuten lang erneut öffnen. Dann löscht es der Server.",
    }),
    received: "Ich habe es, jetzt löschen",
    deleted: "Auf dem Server ist es gelöscht: Nur diese Seite hat es noch.",
    label: "Das Geheimnis",
    save: "Als Datei speichern",
    foreignTitle: "Das Geheimnis ist noch verschlüsselt",
    foreignLead: "Der Absender hat es mit einem eigenen Programm verschlüsselt. So hat er es geschickt.",
    foreignLabel: "Der verschlüsselte Text",
    looksLike: "Das sieht nach {program} aus",
    decryptWith: "Speichern Sie es als secret.txt, und führen Sie dann aus:",
    sealedTitle: "Das Geheimnis ist da, aber Ihr Link kann es nicht entschlüsseln",
    sealedLead:
      "Der Teil des Links nach dem Punkt fehlt oder wurde verändert. Der verschlüsselte Text steht unten. Lassen Sie diese Seite offen, und fügen Sie den vollständigen Link ein.",
    wholeLink: "Vollständiger Link",
    passphrase: "Passphrase, falls es eine gibt",
    decrypt: "Entschlüsseln",
    stillSealed:
      "Dieser Link entschlüsselt es nicht. Vergleichen Sie den Link und gegebenenfalls die Passphrase.",
  },
  open: {
    lead: "Fügen Sie den vollständigen Link ein, den Sie bekommen haben. Das Geheimnis wird erst geöffnet, wenn Sie es sagen.",
    link: "Link",
    invalidTitle: "Das ist kein vollständiger Link",
    invalid:
      "Ein Link zu einem Geheimnis enthält /s/ und nach einem # seinen Schlüssel. Kopieren Sie ihn noch einmal ganz: Lange Links werden oft am Zeilenende abgeschnitten. Es wurde nichts geöffnet.",
    submit: "Weiter",
  },
  unsaved: {
    title: "Diese Seite verlassen?",
    stay: "Hierbleiben",
    leave: "Verlassen",
    reasons: {
      file: "Die Datei ist noch nicht ganz da und lässt sich nur hier öffnen.",
      keepLink: "Sie haben den Link zum Behalten noch nicht kopiert, und nur er öffnet die Antwort.",
      several: "Sie haben noch nicht alle Dateien gespeichert, und nur diese Seite hat sie.",
      secret: "Nur diese Seite hat das Geheimnis noch. Kopieren oder speichern Sie es zuerst.",
      link: "Sie haben den Link noch nicht kopiert, und er wird nur hier angezeigt.",
      result: "Sie haben das Ergebnis noch nicht gespeichert.",
      text: "Was Sie eingegeben haben, ist nirgends gespeichert.",
      list: "Die Dateien in Ihrer Liste sind noch nicht zusammengefügt und gespeichert.",
      recoveryCode:
        "Der Wiederherstellungscode wird nur hier angezeigt. Kopieren Sie ihn oder schreiben Sie ihn zuerst auf.",
      token: "Sie haben das Token noch nicht kopiert, und es wird nur hier angezeigt.",
    },
  },
  delivery: {
    title: "Ihre Datei ist unterwegs",
    lead: "{size}. Sie bleibt zehn Minuten lang für diese Seite reserviert: Lassen Sie die Seite offen.",
    busy: "Die Datei wird empfangen und entschlüsselt",
    cut: "Die Verbindung ist abgebrochen. Es geht weiter, sobald sie wieder da ist.",
    goOn: "Fortsetzen",
    sealed:
      "Die Datei ist da, aber noch verschlüsselt. Der Teil des Links nach dem Punkt fehlt oder wurde verändert. Lassen Sie diese Seite offen und fügen Sie den vollständigen Link ein.",
    doneTitle: "Die Datei ist da",
    doneLead: "Sie wurde bei Ihren Downloads gespeichert und auf dem Server gelöscht.",
    severalLead: "Speichern Sie, was Sie brauchen, bevor Sie die Seite schließen.",
    saveAll: "Alle als ZIP speichern",
    saveNamed: "{name} speichern",
  },
  fields: {
    passphrase: "Passphrase",
  },
  errors: {
    outside: "{field}: Erlaubt ist {minimum} bis {maximum}.",
    unknown: "Etwas ist schiefgegangen. Bitte versuchen Sie es noch einmal.",
    internal: "Auf dem Server ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.",
    outdated:
      "Diese Seite wurde aktualisiert, seit Sie sie geöffnet haben. Laden Sie sie neu, und versuchen Sie es noch einmal.",
    unreachable:
      "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
    unreadable:
      "Die Datei lässt sich nicht lesen. Vielleicht wurde sie verändert oder verschoben, seit Sie sie ausgewählt haben.",
    unforeseen: "Auf dieser Seite ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal.",
    missing_parameter: "Bitte ausfüllen: {field}.",
    invalid_parameter: "Bitte prüfen: {field}.",
    passphrase_required: "Dieses Geheimnis braucht seine Passphrase.",
    wrong_passphrase: "Diese Passphrase ist falsch.",
    secret_not_found: "Zu diesem Link gibt es kein Geheimnis.",
    secret_gone: "Dieses Geheimnis lässt sich nicht mehr öffnen.",
    wrong_kind: "Dieser Link führt zu einem Geheimnis der anderen Art: einem Text oder einer Datei.",
    not_found: "Das gibt es nicht mehr.",
    request_timeout: "Das Senden hat zu lange gedauert. Bitte versuchen Sie es noch einmal.",
    at_most: "Höchstens {limit}.",
    at_most_of: "Das sind {actual}; höchstens {limit} sind erlaubt.",
    password_wrong: "Dieses Passwort ist falsch.",
    damaged_file: "Diese Datei ist beschädigt. Bitte nehmen Sie eine unbeschädigte Kopie.",
    rate_limited: "Zu viele Versuche. Bitte versuchen Sie es in {time} noch einmal.",
    overloaded: "Der Server ist ausgelastet. Bitte versuchen Sie es gleich noch einmal.",
    database_unavailable:
      "Der Server erreicht seine Datenbank nicht. Bitte versuchen Sie es später noch einmal.",
    draining: "Der Server wird neu gestartet. Bitte versuchen Sie es gleich noch einmal.",
  },
};
