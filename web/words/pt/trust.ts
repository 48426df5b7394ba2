import type { TrustWords } from "../en/trust.ts";
import type { Translation } from "../translation.ts";

/** What says why the service can be trusted, in Portuguese. */
export const trust: Translation<TrustWords> = {
  trust: {
    title: "Selado aqui, aberto uma vez",
    verifiable: "Cada versão pode ser conferida, byte a byte.",
    journey: {
      sealed: {
        title: "Selado aqui",
        text: "Seu navegador criptografa antes de enviar. O servidor nunca tem a chave.",
      },
      sent: {
        title: "Enviado como link",
        text: "Carregar a página não abre nada, nem uma prévia em um chat.",
      },
      opened: {
        title: "Aberto uma vez",
        text: "Por quem tiver o link primeiro. Depois é excluído, e você vê isso.",
      },
    },
  },
};
