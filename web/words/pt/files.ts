import type { FileWords } from "../en/files.ts";
import type { Translation } from "../translation.ts";

/** What is said of files on all pages, in Portuguese. */
export const files: Translation<FileWords> = {
  files: {
    pdf: "um PDF",
    pdfs: "PDFs",
    pages: "PDFs ou imagens",
    morePages: "mais PDFs ou imagens",
    images: "imagens",
    any: "um arquivo",
    anyMore: "outro arquivo",
    several: "arquivos",
    drop: "Solte ou cole {what} aqui, ou",
    choose: "Escolher {what}",
    add: "Adicionar {what}",
    dropHint: "Nada é enviado, a não ser que você escolha “No servidor”.",
    refused: {
      pdf: "Ignorado, pois não é um PDF: {names}",
      image: "Ignorado, pois não é uma imagem que possa ser lida aqui: {names}",
      page: "Ignorado, pois não é um PDF nem uma imagem que possa ser lida aqui: {names}",
      text: "Não é um texto e ficou de fora: {names}",
    },
    chooseOther: "Escolher outro arquivo",
    onlyOne: "Esta página aceita um arquivo por vez, por isso ficou de fora: {names}",
    folders: "Não é possível usar uma pasta, apenas os arquivos dentro dela: {names}",
    unreadable: "Não está mais lá ou não pode ser lido: {names}",
    where: "Onde",
    places: { here: "Neste navegador", server: "No servidor" },
    placeHints: {
      here: "Nada sai do seu dispositivo.",
      server: "Enviado ao servidor, que o mantém na memória enquanto trabalha e não guarda nada.",
    },
    old: "Você mudou algo desde então. Execute de novo para ter um novo resultado.",
    next: "Continuar com ele:",
    suggest: "Sugerir uma senha",
    openLocked: "Abrir um arquivo protegido",
    saveOne: "Salvar {name}",
    saveAll: "Salvar tudo",
    undo: "Voltar aos arquivos",
    chosen: "Arquivos escolhidos",
    sendOnce: "Enviar uma única vez",
  },
  received: {
    lead: "O que você quer fazer com isso? Nada foi enviado.",
    nothingTitle: "Nada chegou",
    nothing:
      "O navegador não entregou nada. Compartilhe de novo, ou escolha uma página e dê a ela o arquivo.",
  },
  order: {
    moved: "{name} agora é o número {number} de {count}",
    up: "Mover {name} para cima",
    down: "Mover {name} para baixo",
    remove: "Remover {name}",
  },
};
