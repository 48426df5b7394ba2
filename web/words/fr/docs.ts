import type { DocsWords } from "../en/docs.ts";
import type { Translation } from "../translation.ts";

/** What the reference of the API says in French. */
export const docs: Translation<DocsWords> = {
  docs: {
    lead: "Tout ce que font ces pages, pour les scripts et les programmes. Aucun compte n’est nécessaire ; un jeton relève les limites. Les descriptions sont en anglais.",
    loading: "Chargement de la référence…",
    openapi: "Document OpenAPI 3.1",
    catalogue: "Catalogue avec vos limites",
    rpc: "Les mêmes procédures sont disponibles en RPC typé sous {path}.",
    limits: "Vos limites actuelles",
    asMember: "En tant que membre.",
    asGuest: "Sans compte.",
    units: "Sur toutes les pages, 1 ko vaut 1 024 octets et 1 Mo vaut 1 024 ko.",
    limitNames: {
      calls: "Appels d’outils",
      concurrentCalls: "Appels simultanés",
      fileSize: "Taille d’un fichier",
      totalSize: "Taille totale des fichiers d’un appel",
      pixels: "Pixels d’une image, toutes images comprises",
      secretLength: "Caractères d’un secret",
      secretExpires: "Durée de vie d’un secret",
      secretCreates: "Nouveaux secrets",
      secretReads: "Ouvertures et vérifications de secrets",
    },
    upTo: "jusqu’à {value}",
    inWindow: "{value} en {window}",
    left: "{value}, encore {remaining} maintenant",
    body: "Corps :",
    parameters: "Paramètres",
    bodyFields: "Champs du corps",
    answer: "Réponse {status} :",
    answerKeys: "Clés de la réponse JSON",
    failures: "Erreurs",
    required: "obligatoire",
    default: "Par défaut : {value}.",
  },
};
