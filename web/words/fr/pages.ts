import type { PageWords } from "../en/pages.ts";
import type { Translation } from "../translation.ts";
import { plural } from "../plural.ts";

/** What the menu and the heads of the pages say in French. */
export const pages: Translation<PageWords> = {
  pages: {
    share: {
      label: "Partager un secret",
      title: "Partager un secret",
      summary: "Un lien qui ne s’ouvre qu’une fois. Chiffré avant de quitter votre navigateur.",
    },
    open: {
      label: "Ouvrir un lien",
      title: "Ouvrir un lien",
      summary: "Collez un lien que l’on vous a envoyé.",
    },
    "pdf-merge": {
      label: "Fusionner",
      title: "Fusionner des PDF",
      summary: "Réunissez des documents dans l’ordre voulu, avec les pages de votre choix.",
    },
    "pdf-split": {
      label: "Diviser",
      title: "Diviser un PDF",
      summary: "Un fichier par page, ou garder ou retirer certaines pages.",
    },
    "pdf-rotate": {
      label: "Pivoter",
      title: "Faire pivoter un PDF",
      summary: "Faites pivoter toutes les pages, ou seulement certaines.",
    },
    "pdf-clean": {
      label: "Nettoyer",
      title: "Nettoyer un PDF",
      summary: "Retirer ce que personne ne doit y trouver.",
    },
    "pdf-compress": {
      label: "Compresser",
      title: "Compresser un PDF",
      summary: "Réduisez-le, par exemple pour l’envoyer par e-mail.",
    },
    "pdf-lock": {
      label: "Verrouiller",
      title: "Verrouiller un PDF",
      summary: "Il ne s’ouvre qu’avec le mot de passe de votre choix.",
    },
    "pdf-unlock": {
      label: "Déverrouiller",
      title: "Déverrouiller un PDF",
      summary: "Retirez un mot de passe que vous connaissez, et les restrictions.",
    },
    "image-convert": {
      label: "Convertir une image",
      title: "Convertir une image",
      summary: "En WebP, JPEG, PNG ou AVIF, sans données de lieu ni d’appareil photo.",
    },
    "file-encrypt": {
      label: "Verrouiller un fichier",
      title: "Verrouiller un fichier",
      summary: "Chiffrez un fichier avec un mot de passe, ou ouvrez un fichier verrouillé.",
    },
    "file-hash": {
      label: "Somme de contrôle",
      title: "Vérifier un fichier",
      summary: "SHA-256, BLAKE3, MD5 et d’autres, comparés à la somme attendue.",
    },
    "text-compare": {
      label: "Comparer",
      title: "Comparer deux textes",
      summary: "Côte à côte ou en patch, par ligne, mot ou caractère.",
    },
    password: {
      label: "Mot de passe",
      title: "Créer un mot de passe",
      summary: "Des caractères ou des mots au hasard, avec leur robustesse.",
    },
    account: { label: "Compte", title: "Compte", summary: "Vos secrets, jetons et connexions." },
    "how-it-works": {
      label: "Fonctionnement",
      title: "Comment ça marche",
      summary: "Où est la clé, ce que voit le serveur et ce qu’il ne peut pas faire.",
    },
    verify: {
      label: "Vérifier ces pages",
      title: "Vérifier ces pages",
      summary: "Assurez-vous que ce sont bien celles qui ont été publiées.",
    },
    docs: {
      label: "API",
      title: "API",
      summary: "Tout ce que font ces pages, pour les scripts et les programmes.",
    },
    tools: {
      label: "Tous les outils",
      title: "Tous les outils",
      summary: "Tous les outils en un coup d’œil.",
    },
    members: {
      label: "Membres",
      title: "Membres de cette instance",
      summary: "Voir, désactiver et supprimer des comptes.",
    },
    received: {
      label: "Partagé avec Hushkit",
      title: "Partagé avec Hushkit",
      summary: "Ce qu’un autre programme a partagé avec ces pages.",
    },
    "not-found": { title: "Page introuvable" },
    ask: {
      label: "Demander un secret",
      title: "Demander un secret",
      summary:
        "Un lien auquel on peut répondre une fois. Vous êtes la seule personne à pouvoir lire la réponse.",
    },
    answer: { title: "Quelqu’un vous demande un secret" },
    collect: { title: "Votre demande" },
  },
  tools: { lead: "Ils travaillent dans votre navigateur. Ce que vous leur donnez reste sur votre appareil." },
  notFound: { lead: "Vous cherchiez peut-être l’une de celles-ci." },
  find: {
    open: "Trouver une page ou un outil",
    field: "Page ou outil",
    list: "Pages et outils",
    none: "Rien ne porte ce nom. Essayez un autre mot.",
    count: plural({ one: "{count} résultat", many: "{count} de résultats", other: "{count} résultats" }),
  },
};
