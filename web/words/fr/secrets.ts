import type { SecretWords } from "../en/secrets.ts";
import { plural } from "../plural.ts";
import type { Translation } from "../translation.ts";

/** What sharing a secret and asking for one say in French. */
export const secrets: Translation<SecretWords> = {
  share: {
    lead: "Votre texte ou fichier est chiffré dans ce navigateur. Le lien l’ouvre une seule fois, puis il disparaît.",
    field: "Votre secret",
    placeholder: "Un mot de passe, une note, une clé…",
    missing: "Saisissez ou collez d’abord quelque chose.",
    tooLongForMember: "Cela fait {count} caractères. Un secret peut en avoir {limit} au plus.",
    tooLongForGuest: "Cela fait {count} caractères. Sans compte, un secret peut en avoir {limit} au plus.",
    passphrase: "Phrase secrète (facultative)",
    passphraseRequired: "Cette instance exige une phrase secrète pour chaque secret.",
    passphraseHint:
      "Envoyez-la par un autre moyen que le lien. Après dix essais infructueux, le secret est supprimé.",
    suggest: "Proposer une phrase secrète",
    more: "Autres options",
    side: "Chiffré par",
    sides: { here: "Ce navigateur", server: "Le serveur" },
    sideHints: {
      here: "Chiffré avant de quitter ce navigateur. Le serveur n’a jamais la clé.",
      server:
        "Envoyé par la connexion et chiffré par le serveur, qui oublie ensuite la clé. S’ouvre avec curl, et dans un navigateur sans JavaScript.",
    },
    submit: "Créer le lien",
    busy: "Chiffrement…",
    failed: "Rien n’a été partagé",
    tools: "Ou travaillez sur un fichier, sans qu’il quitte ce navigateur",
    insecureTitle: "Ce navigateur ne peut pas chiffrer ici",
    insecure:
      "Cette page a été chargée en HTTP non chiffré, où les navigateurs désactivent le chiffrement. Votre texte voyagerait en clair, et c’est le serveur qui le chiffrerait. Pour le chiffrer ici, ouvrez cette page en HTTPS ou sur localhost.",
    dropHint: "Ou déposez-en un n’importe où sur cette page, ou collez-le.",
    sending: "Chiffrement et envoi du fichier",
    message: "Message (facultatif)",
    memberSize: "Avec un compte sur ce serveur, vous pouvez envoyer jusqu’à {size}.",
    people: "Un lien pour chacune de plusieurs personnes (facultatif)",
    peopleHint: "Un nom par ligne. Les noms restent dans ce navigateur.",
    peoplePlaceholder: "Ada",
    tooManyPeople: "C’est trop : {limit} noms au plus.",
  },
  lifetime: {
    label: "Si personne ne l’ouvre, le supprimer après",
    own: "Une autre durée…",
    amount: "Le supprimer après",
    unit: "Unité",
    units: { minutes: "minutes", hours: "heures", days: "jours" },
    range: "De {from} à {to}.",
  },
  label: {
    field: "Libellé (facultatif)",
    hint: "Affiché dans votre liste. Seul ce navigateur peut le lire.",
  },
  shared: {
    notice: {
      ask: "Me prévenir à l’ouverture",
      on: "Ce navigateur vous prévient à l’ouverture, tant que cette page reste ouverte.",
      denied: "Ce navigateur n’autorise pas les notifications d’ici. Ses réglages peuvent le changer.",
      revealed: "Votre secret a été ouvert.",
      revoked: "Votre secret a été supprimé.",
      expired: "Votre secret a expiré, et personne ne l’a ouvert.",
      locked: "Votre secret a été verrouillé après dix phrases secrètes fausses, et personne ne l’a lu.",
    },
    title: "Envoyez ce lien",
    lead: "Il ne s’ouvre qu’une fois. Copiez-le maintenant : il n’est affiché qu’ici.",
    link: "Le lien",
    copy: "Copier le lien",
    copyMessage: "Copier sous forme de message",
    share: "Partager…",
    message: "Voici un secret pour vous. Ce lien l’ouvre une seule fois, jusqu’au {time} :",
    qr: "Code QR",
    qrLabel: "Le lien sous forme de code QR",
    passphrase: "La phrase secrète",
    passphraseHint:
      "Elle est nécessaire aussi. Envoyez-la par un autre moyen que le lien, par exemple par téléphone.",
    deletes: "Il sera supprimé {time} si personne ne l’ouvre.",
    deleteNow: "Supprimer maintenant",
    deleteConfirm: "Oui, supprimer",
    preview: "Ce que voit le destinataire",
    previewPassphrase: "Puis un champ pour la phrase secrète, avec le nombre d’essais restants.",
    previewHint:
      "Afficher la page n’ouvre pas le secret : les aperçus de liens dans les messageries sont donc sans effet.",
    command: "On peut aussi l’ouvrir sans navigateur.",
    another: "Partager un autre secret",
    copiesTitle: "Envoyez à chacun son lien",
    copiesLead: "Chaque lien s’ouvre une seule fois. Copiez-les maintenant : ils ne sont affichés qu’ici.",
    copyList: "Tout copier sous forme de liste",
    saveCsv: "Enregistrer en CSV",
    namesHint: "Seule cette page sait à qui est chaque lien.",
    linkFor: "Le lien pour {name}",
    deleteFor: "Supprimer le secret pour {name}",
    makeLeft: "Réessayer pour le reste",
    copiesLeft: plural({
      one: "Un lien n’a pas pu être créé",
      other: "{count} liens n’ont pas pu être créés",
    }),
    ends: {
      revealed: {
        title: "Il a été ouvert",
        advice:
          "La personne qui a le lien l’a ouvert. Plus personne d’autre ne peut l’ouvrir. Si ce n’était pas la bonne personne, changez ce qu’il contenait.",
      },
      revoked: {
        title: "Il a été supprimé",
        advice: "Personne ne l’a ouvert, et plus personne ne peut l’ouvrir.",
      },
      expired: {
        title: "Il a expiré",
        advice:
          "Son délai s’est écoulé avant que quelqu’un ne l’ouvre. Pour l’envoyer encore, partagez-le à nouveau.",
      },
      locked: {
        title: "Il a été verrouillé",
        advice:
          "Après dix phrases secrètes erronées, il a été supprimé, et personne ne l’a lu. Si votre destinataire s’est trompé en la saisissant, partagez-le à nouveau.",
      },
    },
  },
  asking: {
    lead: "Envoyez un lien à quelqu’un. Cette personne peut répondre une fois, et vous êtes la seule personne à pouvoir lire la réponse.",
    note: "De quoi avez-vous besoin ? (facultatif)",
    noteHint: "Toute personne qui a le lien peut lire ceci. Le serveur, non.",
    notePlaceholder: "Par exemple : le mot de passe du Wi-Fi invité",
    noteTooLong: "C’est trop long. Environ {limit} lettres sont possibles.",
    lifetime: "Réponse possible pendant",
    submit: "Créer la demande",
    failed: "La demande n’a pas été créée",
    createdTitle: "Envoyez le premier lien, gardez le second",
    createdLead: "Tous deux ne sont affichés qu’ici.",
    give: "Lien à envoyer",
    message:
      "J’ai besoin d’un secret de votre part. Ce lien permet de répondre une seule fois, jusqu’au {time}, et je suis la seule personne à pouvoir lire la réponse :",
    giveHint: "Toute personne qui l’a peut répondre, une seule fois. Il ne permet pas de lire la réponse.",
    copyGive: "Copier le lien à envoyer",
    keep: "Lien à garder",
    keepHint: "Seul ce lien ouvre la réponse. Gardez-le et ne l’envoyez à personne.",
    copyKeep: "Copier le lien à garder",
    another: "Demander autre chose",
    ends: "Prend fin {time}.",
    read: "Lire la réponse",
    readHint: "Elle ne peut être lue qu’une fois, puis elle est supprimée du serveur.",
    reading: "Déchiffrement…",
    cancel: "Annuler la demande",
    cancelConfirm: "Oui, annuler",
    answerTitle: "La réponse",
    isFile: "La réponse est un fichier",
    openFile: "Ouvrir le fichier",
    sealed:
      "La réponse est là, mais votre lien ne peut pas la déchiffrer. Gardez cette page ouverte et collez le lien complet que vous avez gardé.",
    incomplete:
      "Il manque une partie de ce lien. Copiez-le à nouveau, du premier au dernier caractère. Rien ne s’est passé.",
    unknownTitle: "Aucune demande ne correspond à ce lien",
    unknown:
      "Le lien a peut-être été modifié en route, ou la demande est terminée depuis si longtemps qu’il n’en reste aucune trace.",
    answerLead:
      "Vous pouvez répondre une fois. Votre réponse est chiffrée dans ce navigateur, et seule la personne qui a demandé peut la lire.",
    theyNeed: "Ce qui est demandé",
    answer: "Votre réponse",
    send: "Envoyer la réponse",
    sentTitle: "Votre réponse est envoyée",
    sentLead: "Seule la personne qui a demandé peut la lire. Vous pouvez fermer cette page.",
    typed: "Ce que vous avez saisi",
    status: {
      open: "En attente d’une réponse",
      answered: "Réponse reçue",
      collected: "Réponse lue",
      cancelled: "Annulée",
      expired: "Expirée",
    },
    states: {
      open: "Personne n’a encore répondu. Cette page l’indiquera.",
      answered: "Quelqu’un a répondu. Seul ce lien ouvre la réponse.",
      collected: "La réponse a été lue et supprimée du serveur.",
      cancelled: "Vous avez annulé cette demande.",
      expired: "Personne n’a répondu à temps, ou la réponse n’a pas été lue.",
    },
    endings: {
      answered: {
        title: "Cette demande a déjà sa réponse",
        advice:
          "On ne peut répondre qu’une fois. Si ce n’était pas vous, prévenez la personne qui a demandé.",
      },
      cancelled: { title: "Cette demande a été annulée", advice: "La personne n’a plus besoin de réponse." },
      expired: { title: "Cette demande a expiré", advice: "Son délai est écoulé. Demandez un nouveau lien." },
    },
  },
  members: {
    ended:
      "Vous n’êtes pas connecté, ou votre session a pris fin. Connectez-vous, puis réessayez ici : ce que vous avez saisi reste.",
    again: "Vous êtes de nouveau connecté. Ce que vous avez saisi est toujours là : réessayez.",
    title: "Cette instance est réservée aux membres",
    secrets:
      "Connectez-vous pour partager ou demander un secret. Les liens que vous avez reçus s’ouvrent sans compte.",
    tools: "Le serveur ne travaille que pour les membres ; ici, aucun compte n’est nécessaire.",
    login: "Se connecter",
  },
};
