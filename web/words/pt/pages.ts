import type { PageWords } from "../en/pages.ts";
import type { Translation } from "../translation.ts";
import { plural } from "../plural.ts";

/** What the menu and the heads of the pages say in Portuguese. */
export const pages: Translation<PageWords> = {
  pages: {
    share: {
      label: "Compartilhar um segredo",
      title: "Compartilhar um segredo",
      summary: "Um link que abre uma única vez. Criptografado antes de sair do seu navegador.",
    },
    open: {
      label: "Abrir um link",
      title: "Abrir um link",
      summary: "Cole um link que alguém enviou a você.",
    },
    "pdf-merge": {
      label: "Juntar",
      title: "Juntar PDFs",
      summary: "Una documentos na ordem que quiser, com as páginas que escolher.",
    },
    "pdf-split": {
      label: "Dividir",
      title: "Dividir um PDF",
      summary: "Um arquivo por página, ou mantenha ou remova algumas páginas.",
    },
    "pdf-rotate": { label: "Girar", title: "Girar um PDF", summary: "Gire todas as páginas ou só algumas." },
    "pdf-clean": {
      label: "Limpar",
      title: "Limpar um PDF",
      summary: "Retirar o que ninguém deve encontrar nele.",
    },
    "pdf-compress": {
      label: "Comprimir",
      title: "Comprimir um PDF",
      summary: "Deixe-o menor, por exemplo para enviar por e-mail.",
    },
    "pdf-lock": {
      label: "Proteger",
      title: "Proteger um PDF",
      summary: "Ele só abre com a senha que você escolher.",
    },
    "pdf-unlock": {
      label: "Desbloquear",
      title: "Desbloquear um PDF",
      summary: "Remova uma senha que você conhece e as restrições.",
    },
    "image-convert": {
      label: "Converter imagem",
      title: "Converter uma imagem",
      summary: "Para WebP, JPEG, PNG ou AVIF, sem dados de local nem de câmera.",
    },
    "file-encrypt": {
      label: "Proteger um arquivo",
      title: "Proteger um arquivo",
      summary: "Criptografe qualquer arquivo com uma senha, ou abra um protegido.",
    },
    "file-hash": {
      label: "Soma de verificação",
      title: "Verificar um arquivo",
      summary: "SHA-256, BLAKE3, MD5 e outros, comparados com a soma que você espera.",
    },
    "text-compare": {
      label: "Comparar",
      title: "Comparar dois textos",
      summary: "Lado a lado ou como patch, por linha, palavra ou caractere.",
    },
    password: {
      label: "Senha",
      title: "Gerar uma senha",
      summary: "Caracteres ou palavras ao acaso, com a força da senha.",
    },
    account: { label: "Conta", title: "Conta", summary: "Seus segredos, tokens e acessos." },
    "how-it-works": {
      label: "Como funciona",
      title: "Como funciona",
      summary: "Onde está a chave, o que o servidor vê e o que ele não pode fazer.",
    },
    verify: {
      label: "Verificar estas páginas",
      title: "Verificar estas páginas",
      summary: "Descubra se são as que foram publicadas.",
    },
    docs: {
      label: "API",
      title: "API",
      summary: "Tudo o que estas páginas fazem, para scripts e programas.",
    },
    tools: {
      label: "Todas as ferramentas",
      title: "Todas as ferramentas",
      summary: "Todas as ferramentas de relance.",
    },
    members: {
      label: "Membros",
      title: "Membros desta instância",
      summary: "Ver, desativar e excluir contas.",
    },
    received: {
      label: "Compartilhado com o Hushkit",
      title: "Compartilhado com o Hushkit",
      summary: "O que outro programa compartilhou com estas páginas.",
    },
    "not-found": { title: "Página não encontrada" },
    ask: {
      label: "Pedir um segredo",
      title: "Pedir um segredo",
      summary: "Um link que alguém pode responder uma vez. Só você pode ler a resposta.",
    },
    answer: { title: "Alguém pede um segredo a você" },
    collect: { title: "Seu pedido" },
  },
  tools: { lead: "Funcionam no seu navegador; seus arquivos não saem do dispositivo." },
  notFound: { lead: "Talvez você procurasse uma destas." },
  find: {
    open: "Encontrar uma página ou ferramenta",
    field: "Página ou ferramenta",
    list: "Páginas e ferramentas",
    none: "Nada tem esse nome. Tente outra palavra.",
    count: plural({ one: "{count} resultado", many: "{count} de resultados", other: "{count} resultados" }),
  },
};
