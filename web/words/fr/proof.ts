import type { ProofWords } from "../en/proof.ts";
import type { Translation } from "../translation.ts";

/** What explains how secrets are kept, and how the pages are verified, in French. */
export const proof: Translation<ProofWords> = {
  proof: {
    drawing: {
      seen: "Ce que le serveur voit : un numéro, sous lequel il garde des octets qu’il ne peut pas lire.",
      kept: "Ce qu’il ne voit jamais : la clé. Les navigateurs n’envoient pas ce qui suit le #.",
    },
    how: {
      lead: "Ce qui se passe entre votre clavier et l’écran de votre lecteur, et ce que personne ne peut faire entre les deux.",
      sealed: {
        title: "Scellé dans votre navigateur",
        text: "Votre navigateur crée une clé aléatoire de 256 bits et chiffre avec elle ce que vous avez saisi et vos fichiers, noms compris (AES-256-GCM). Alors seulement quelque chose est envoyé.",
      },
      link: {
        title: "La clé est dans le lien",
        text: "Elle se trouve après le #, que les navigateurs gardent pour eux. Qui exploite le serveur, ou s’en empare, n’a que des octets sans clé.",
      },
      once: {
        title: "Ouvert une fois",
        text: "Charger la page n’ouvre rien : les aperçus dans les messageries sont donc sans danger. Seul le bouton ouvre : le serveur remet les octets à un seul lecteur et dit à tous les suivants qu’ils ont été ouverts.",
      },
      gone: {
        title: "Puis tout est supprimé",
        text: "Pendant dix minutes, l’onglet du lecteur peut redemander, au cas où la connexion serait coupée. Ensuite, les octets sont supprimés. Ce que personne n’ouvre est supprimé au moment que vous avez choisi.",
      },
      knows: {
        title: "Ce que le serveur sait",
        text: "La taille, et quand le secret a été créé et s’est terminé. Pour compter les appels, il garde quelque temps une empreinte à clé des adresses. Aucun contenu, nom de fichier, clé ou mot de passe ne figure dans un journal.",
      },
      cannot: {
        title: "Ce qu’aucun serveur ne peut empêcher",
        text: "Qui a le lien entier en premier peut l’ouvrir : ajoutez une phrase secrète, et envoyez-la par un autre moyen. Et vous vous fiez aux pages que charge votre navigateur. C’est pourquoi elles peuvent être vérifiées.",
      },
    },
    verify: {
      lead: "Ce qui chiffre, c’est ce que ce serveur envoie à votre navigateur. Voyez donc vous-même si c’est bien ce qui a été publié.",
      read: {
        title: "Voir quelles sont ces pages",
        text: "La version et l’empreinte de tous les fichiers de ces pages, telles qu’elles l’indiquent elles-mêmes au bas de chaque page :",
      },
      compare: {
        title: "Les comparer depuis ailleurs",
        text: "Depuis toute machine avec Node. La commande récupère chaque fichier de ces pages et le compare à celui qui a été publié :",
      },
      build: {
        title: "Ou les construire vous-même",
        text: "La même source donne les mêmes octets sur toute machine. Récupérez la source de cette version, construisez-la, et comparez les empreintes.",
      },
      limits: {
        title: "Ce que cela ne prouve pas",
        text: "Un serveur pourrait vous envoyer d’autres pages qu’à tous les autres. Quand cela compte, utilisez la ligne de commande : elle ne prend aucune page d’un serveur.",
      },
    },
  },
};
