import type { SecretWords } from "../en/secrets.ts";
import { plural } from "../plural.ts";
import type { Translation } from "../translation.ts";

/** What sharing a secret and asking for one say in German. */
export const secrets: Translation<SecretWords> = {
  share: {
    lead: "Ihr Text oder Ihre Datei wird in diesem Browser verschlüsselt. Der Link lässt sich einmal öffnen, danach wird der Inhalt gelöscht.",
    field: "Ihr Geheimnis",
    placeholder: "Ein Passwort, eine Notiz, ein Schlüssel …",
    missing: "Bitte zuerst etwas eingeben oder einfügen.",
    tooLongForMember: "Das sind {count} Zeichen. Ein Geheimnis kann bis zu {limit} haben.",
    tooLongForGuest: "Das sind {count} Zeichen. Ohne Konto kann ein Geheimnis bis zu {limit} haben.",
    passphrase: "Passphrase (optional)",
    passphraseRequired: "Diese Instanz verlangt für jedes Geheimnis eine Passphrase.",
    passphraseHint:
      "Schicken Sie sie auf einem anderen Weg als den Link. Nach zehn falschen Versuchen wird das Geheimnis gelöscht.",
    suggest: "Eine Passphrase vorschlagen",
    more: "Weitere Optionen",
    side: "Verschlüsselt von",
    sides: { here: "Diesem Browser", server: "Dem Server" },
    sideHints: {
      here: "Verschlüsselt, bevor es diesen Browser verlässt. Der Server hat den Schlüssel nie.",
      server:
        "Wird über die Verbindung gesendet und vom Server verschlüsselt, der den Schlüssel danach vergisst. Lässt sich mit curl öffnen und in Browsern ohne JavaScript.",
    },
    submit: "Link erstellen",
    busy: "Wird verschlüsselt …",
    failed: "Es wurde nichts geteilt",
    tools: "Oder eine Datei bearbeiten, ohne dass sie diesen Browser verlässt",
    insecureTitle: "Dieser Browser kann hier nicht verschlüsseln",
    insecure:
      "Diese Seite wurde über unverschlüsseltes HTTP geladen, wo Browser die Verschlüsselung abschalten. Ihr Text würde unverschlüsselt übertragen und erst vom Server verschlüsselt. Damit er hier verschlüsselt wird, öffnen Sie diese Seite über HTTPS oder auf localhost.",
    dropHint: "Oder irgendwo auf dieser Seite ablegen oder einfügen.",
    sending: "Die Datei wird verschlüsselt und gesendet",
    message: "Nachricht (optional)",
    memberSize: "Mit einem Konto auf diesem Server können Sie bis zu {size} senden.",
    people: "Je ein Link für mehrere Personen (optional)",
    peopleHint: "Ein Name pro Zeile. Die Namen bleiben in diesem Browser.",
    peoplePlaceholder: "Ada",
    tooManyPeople: "Das sind zu viele: höchstens {limit} Namen.",
  },
  lifetime: {
    label: "Wenn niemand es öffnet, löschen nach",
    own: "Andere Dauer …",
    amount: "Löschen nach",
    unit: "Einheit",
    units: { minutes: "Minuten", hours: "Stunden", days: "Tagen" },
    range: "Von {from} bis {to}.",
  },
  label: {
    field: "Bezeichnung (optional)",
    hint: "Steht in Ihrer Liste. Nur dieser Browser kann sie lesen.",
  },
  shared: {
    notice: {
      ask: "Sagen, wenn es geöffnet wurde",
      on: "Dieser Browser sagt Ihnen, wenn es geöffnet wurde, solange diese Seite offen bleibt.",
      denied:
        "Dieser Browser lässt Mitteilungen von hier nicht zu. In seinen Einstellungen lässt sich das ändern.",
      revealed: "Ihr Geheimnis wurde geöffnet.",
      revoked: "Ihr Geheimnis wurde gelöscht.",
      expired: "Ihr Geheimnis ist abgelaufen, und niemand hat es geöffnet.",
      locked: "Ihr Geheimnis wurde nach zehn falschen Passphrasen gesperrt, und niemand hat es gelesen.",
    },
    title: "Verschicken Sie diesen Link",
    lead: "Er lässt sich einmal öffnen. Kopieren Sie ihn jetzt: Er wird nur hier angezeigt.",
    link: "Der Link",
    copy: "Link kopieren",
    copyMessage: "Als Nachricht kopieren",
    share: "Teilen …",
    message: "Hier ist ein Geheimnis für Sie. Dieser Link öffnet es einmal, und nur bis zum {time}:",
    qr: "QR-Code",
    qrLabel: "Der Link als QR-Code",
    passphrase: "Die Passphrase",
    passphraseHint:
      "Auch sie wird gebraucht. Schicken Sie sie auf einem anderen Weg als den Link, zum Beispiel per Telefon.",
    deletes: "Wird {time} gelöscht, wenn niemand es öffnet.",
    deleteNow: "Jetzt löschen",
    deleteConfirm: "Ja, löschen",
    preview: "Was die andere Seite sieht",
    previewPassphrase: "Dann ein Feld für die Passphrase, mit der Zahl der übrigen Versuche.",
    previewHint:
      "Wer die Seite aufruft, öffnet damit das Geheimnis noch nicht. Vorschauen in Chats schaden also nicht.",
    command: "Es lässt sich auch ohne Browser öffnen.",
    another: "Noch ein Geheimnis teilen",
    copiesTitle: "Senden Sie jedem seinen Link",
    copiesLead: "Jeder Link öffnet sich einmal. Kopieren Sie sie jetzt: Sie werden nur hier angezeigt.",
    copyList: "Alle als Liste kopieren",
    saveCsv: "Als CSV speichern",
    namesHint: "Nur diese Seite weiß, wessen Link welcher ist.",
    linkFor: "Der Link für {name}",
    deleteFor: "Geheimnis für {name} löschen",
    makeLeft: "Für den Rest erneut versuchen",
    copiesLeft: plural({
      one: "Ein Link konnte nicht erstellt werden",
      other: "{count} Links konnten nicht erstellt werden",
    }),
    ends: {
      revealed: {
        title: "Es wurde geöffnet",
        advice:
          "Wer den Link hat, hat es geöffnet. Niemand sonst kann es mehr öffnen. War es nicht die Person, die Sie meinten, dann ändern Sie, was darin stand.",
      },
      revoked: {
        title: "Es wurde gelöscht",
        advice: "Niemand hat es geöffnet, und niemand kann es mehr öffnen.",
      },
      expired: {
        title: "Es ist abgelaufen",
        advice:
          "Seine Zeit war um, bevor es jemand geöffnet hat. Teilen Sie es erneut, um es noch einmal zu senden.",
      },
      locked: {
        title: "Es wurde gesperrt",
        advice:
          "Nach zehn falschen Passphrasen wurde es gelöscht, und niemand hat es gelesen. Hat sich Ihr Empfänger vertippt, teilen Sie es erneut.",
      },
    },
  },
  asking: {
    lead: "Schicken Sie jemandem einen Link. Darüber lässt sich einmal antworten, und nur Sie können die Antwort lesen.",
    note: "Was brauchen Sie? (optional)",
    noteHint: "Wer den Link hat, kann das lesen. Der Server kann es nicht.",
    notePlaceholder: "Zum Beispiel: das Passwort für das Gäste-WLAN",
    noteTooLong: "Das ist zu lang. Es passen etwa {limit} Buchstaben hinein.",
    lifetime: "Antworten möglich für",
    submit: "Anfrage erstellen",
    failed: "Die Anfrage wurde nicht erstellt",
    createdTitle: "Ersten Link verschicken, zweiten behalten",
    createdLead: "Beide werden nur hier angezeigt.",
    give: "Link zum Verschicken",
    message:
      "Ich brauche ein Geheimnis von Ihnen. Über diesen Link lässt sich einmal antworten, bis zum {time}, und nur ich kann die Antwort lesen:",
    giveHint: "Wer ihn hat, kann einmal antworten. Lesen lässt sich damit keine Antwort.",
    copyGive: "Link zum Verschicken kopieren",
    keep: "Link zum Behalten",
    keepHint: "Nur dieser Link öffnet die Antwort. Behalten Sie ihn und schicken Sie ihn niemandem.",
    copyKeep: "Link zum Behalten kopieren",
    another: "Etwas anderes anfragen",
    ends: "Endet {time}.",
    read: "Antwort lesen",
    readHint: "Sie lässt sich einmal lesen und wird dann auf dem Server gelöscht.",
    reading: "Wird entschlüsselt …",
    cancel: "Anfrage zurückziehen",
    cancelConfirm: "Ja, zurückziehen",
    answerTitle: "Die Antwort",
    isFile: "Die Antwort ist eine Datei",
    openFile: "Datei öffnen",
    sealed:
      "Die Antwort ist da, aber Ihr Link kann sie nicht entschlüsseln. Lassen Sie diese Seite offen und fügen Sie den vollständigen Link ein, den Sie behalten haben.",
    incomplete:
      "Ein Teil dieses Links fehlt. Kopieren Sie ihn noch einmal, vom ersten bis zum letzten Zeichen. Es ist nichts geschehen.",
    unknownTitle: "Zu diesem Link gehört keine Anfrage",
    unknown:
      "Der Link wurde vielleicht unterwegs verändert, oder die Anfrage ist so lange vorbei, dass nichts mehr von ihr übrig ist.",
    answerLead:
      "Sie können einmal antworten. Ihre Antwort wird in diesem Browser verschlüsselt, und nur wer gefragt hat, kann sie lesen.",
    theyNeed: "Was gebraucht wird",
    answer: "Ihre Antwort",
    send: "Antwort senden",
    sentTitle: "Ihre Antwort ist abgeschickt",
    sentLead: "Nur wer gefragt hat, kann sie lesen. Sie können diese Seite schließen.",
    typed: "Was Sie eingegeben haben",
    status: {
      open: "Wartet auf Antwort",
      answered: "Beantwortet",
      collected: "Antwort gelesen",
      cancelled: "Zurückgezogen",
      expired: "Abgelaufen",
    },
    states: {
      open: "Noch hat niemand geantwortet. Diese Seite zeigt, sobald es so weit ist.",
      answered: "Jemand hat geantwortet. Nur dieser Link öffnet die Antwort.",
      collected: "Die Antwort wurde gelesen und auf dem Server gelöscht.",
      cancelled: "Sie haben diese Anfrage zurückgezogen.",
      expired: "Es hat niemand rechtzeitig geantwortet oder die Antwort gelesen.",
    },
    endings: {
      answered: {
        title: "Diese Anfrage ist beantwortet",
        advice:
          "Eine Anfrage lässt sich einmal beantworten. Wenn Sie es nicht waren, sagen Sie der Person Bescheid, die gefragt hat.",
      },
      cancelled: {
        title: "Diese Anfrage wurde zurückgezogen",
        advice: "Eine Antwort wird nicht mehr gebraucht.",
      },
      expired: {
        title: "Diese Anfrage ist abgelaufen",
        advice: "Die Frist ist um. Bitten Sie um einen neuen Link.",
      },
    },
  },
  members: {
    ended:
      "Sie sind nicht angemeldet, oder Ihre Anmeldung ist abgelaufen. Melden Sie sich an und versuchen Sie es hier noch einmal: Was Sie eingegeben haben, bleibt.",
    again: "Sie sind wieder angemeldet. Was Sie eingegeben haben, ist noch da: Versuchen Sie es noch einmal.",
    title: "Diese Instanz ist für Mitglieder",
    secrets:
      "Melden Sie sich an, um ein Geheimnis zu teilen oder um eines zu bitten. Links, die Sie bekommen haben, öffnen sich ohne Konto.",
    tools: "Der Server arbeitet nur für Mitglieder; hier brauchen Sie kein Konto.",
    login: "Anmelden",
  },
};
