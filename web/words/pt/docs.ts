import type { DocsWords } from "../en/docs.ts";
import type { Translation } from "../translation.ts";

/** What the reference of the API says in Portuguese. */
export const docs: Translation<DocsWords> = {
  docs: {
    lead: "Tudo o que estas páginas fazem, para scripts e programas. Não é preciso ter conta; um token aumenta os limites. As descrições estão em inglês.",
    loading: "Carregando a referência…",
    openapi: "Documento OpenAPI 3.1",
    catalogue: "Catálogo com seus limites",
    rpc: "Os mesmos procedimentos estão disponíveis como RPC tipado em {path}.",
    limits: "Seus limites agora",
    asMember: "Como membro.",
    asGuest: "Sem conta.",
    units: "Em todas as páginas, 1 kB são 1.024 bytes e 1 MB são 1.024 kB.",
    limitNames: {
      calls: "Chamadas de ferramentas",
      concurrentCalls: "Chamadas simultâneas",
      fileSize: "Tamanho de um arquivo",
      totalSize: "Tamanho de todos os arquivos de uma chamada",
      pixels: "Pixels de uma imagem, em todos os quadros",
      secretLength: "Caracteres de um segredo",
      secretExpires: "Duração de um segredo",
      secretCreates: "Novos segredos",
      secretReads: "Abertura e consulta de segredos",
    },
    upTo: "até {value}",
    inWindow: "{value} em {window}",
    left: "{value}, restam {remaining} agora",
    body: "Corpo:",
    parameters: "Parâmetros",
    bodyFields: "Campos do corpo",
    answer: "Resposta {status}:",
    answerKeys: "Chaves da resposta JSON",
    failures: "Erros",
    required: "obrigatório",
    default: "Padrão: {value}.",
  },
};
