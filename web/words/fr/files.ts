import type { FileWords } from "../en/files.ts";
import type { Translation } from "../translation.ts";

/** What is said of files on all pages, in French. */
export const files: Translation<FileWords> = {
  files: {
    pdf: "un PDF",
    pdfs: "des PDF",
    pages: "des PDF ou des images",
    morePages: "d’autres PDF ou images",
    images: "des images",
    any: "un fichier",
    anyMore: "un autre fichier",
    several: "des fichiers",
    drop: "Déposez ou collez {what} ici, ou",
    choose: "Choisir {what}",
    add: "Ajouter {what}",
    dropHint: "Rien n’est envoyé, sauf si vous choisissez « Sur le serveur ».",
    refused: {
      pdf: "Ignoré, car ce n’est pas un PDF : {names}",
      image: "Ignoré, car ce n’est pas une image lisible ici : {names}",
      page: "Ignoré, car ce n’est ni un PDF ni une image lisible ici : {names}",
      text: "Pas un texte, donc laissé de côté : {names}",
    },
    chooseOther: "Choisir un autre fichier",
    onlyOne: "Cette page prend un fichier à la fois, donc laissés de côté : {names}",
    folders: "Un dossier ne peut pas être pris, seulement les fichiers qu’il contient : {names}",
    unreadable: "Disparus ou illisibles : {names}",
    where: "Où",
    places: { here: "Dans ce navigateur", server: "Sur le serveur" },
    placeHints: {
      here: "Rien ne quitte votre appareil.",
      server: "Envoyé au serveur, qui le garde en mémoire pendant le travail et n’enregistre rien.",
    },
    old: "Vous avez changé quelque chose depuis. Relancez pour obtenir un nouveau résultat.",
    next: "Continuer avec :",
    suggest: "Proposer un mot de passe",
    openLocked: "Ouvrir un fichier verrouillé",
    saveOne: "Enregistrer {name}",
    saveAll: "Tout enregistrer",
    undo: "Revenir aux fichiers",
    chosen: "Fichiers choisis",
    sendOnce: "Envoyer une seule fois",
  },
  received: {
    lead: "Que voulez-vous en faire ? Rien n’a été envoyé.",
    nothingTitle: "Rien n’est arrivé",
    nothing:
      "Le navigateur n’a rien transmis. Partagez à nouveau, ou choisissez une page et donnez-lui le fichier.",
  },
  order: {
    moved: "{name} est maintenant le numéro {number} sur {count}",
    up: "Monter {name}",
    down: "Descendre {name}",
    remove: "Retirer {name}",
  },
};
