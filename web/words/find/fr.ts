/** What people call the pages in French, besides the words of the pages themselves. */
export const terms = {
  share: "envoyer message note lien unique éphémère transmettre",
  ask: "demander recevoir requête boîte",
  open: "lire voir afficher recevoir lien",
  "pdf-merge": "joindre assembler combiner réunir ajouter images en pdf photo scan",
  "pdf-split": "séparer découper extraire supprimer pages trier",
  "pdf-rotate": "tourner pivoter orientation paysage portrait retourner",
  "pdf-clean": "nettoyer métadonnées supprimer scripts pièces jointes commentaires réparer",
  "pdf-compress": "réduire taille alléger plus petit courriel optimiser",
  "pdf-lock": "chiffrer protéger mot de passe droits verrouiller",
  "pdf-unlock": "déchiffrer mot de passe retirer restrictions ouvrir",
  "image-convert":
    "photo convertir redimensionner réduire compresser recadrer tourner localisation métadonnées exif jpg heic",
  "file-encrypt": "chiffrer déchiffrer ouvrir mot de passe clé age",
  "file-hash": "somme de contrôle empreinte hash vérifier téléchargement intégrité sha256 md5",
  "text-compare": "différences modifications diff",
  password: "phrase secrète générateur aléatoire code pin robustesse",
  account: "connexion se connecter inscription réglages jetons profil",
  docs: "documentation développeur interface curl rest",
  "how-it-works": "sécurité chiffrement confiance confidentialité explication bout en bout serveur",
  verify: "confiance comparer vérifier version empreinte modifié",
  tools: "outils aperçu liste tout",
};
