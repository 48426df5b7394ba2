import type { TrustWords } from "../en/trust.ts";
import type { Translation } from "../translation.ts";

/** What says why the service can be trusted, in French. */
export const trust: Translation<TrustWords> = {
  trust: {
    title: "Scellé ici, ouvert une fois",
    verifiable: "Chaque version peut être vérifiée, octet par octet.",
    journey: {
      sealed: {
        title: "Scellé ici",
        text: "Votre navigateur chiffre avant tout envoi. Le serveur n’a jamais la clé.",
      },
      sent: {
        title: "Envoyé par un lien",
        text: "Charger la page n’ouvre rien, et un aperçu dans une messagerie non plus.",
      },
      opened: {
        title: "Ouvert une fois",
        text: "Par la première personne qui a le lien. Ensuite, tout est supprimé, et vous le voyez.",
      },
    },
  },
};
