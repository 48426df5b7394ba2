import type { ProofWords } from "../en/proof.ts";
import type { Translation } from "../translation.ts";

/** What explains how secrets are kept, and how the pages are verified, in Portuguese. */
export const proof: Translation<ProofWords> = {
  proof: {
    drawing: {
      seen: "O que o servidor vê: um número, sob o qual guarda bytes que não consegue ler.",
      kept: "O que ele nunca vê: a chave. Os navegadores não enviam o que vem depois do #.",
    },
    how: {
      lead: "O que acontece entre o seu teclado e a tela de quem lê, e o que ninguém no caminho pode fazer.",
      sealed: {
        title: "Selado no seu navegador",
        text: "Seu navegador cria uma chave aleatória de 256 bits e criptografa com ela o que você digitou e os seus arquivos, com os nomes (AES-256-GCM). Só então algo é enviado.",
      },
      link: {
        title: "A chave está no link",
        text: "Ela fica depois do #, que os navegadores não enviam. Quem administra o servidor, ou o leva embora, tem bytes sem chave.",
      },
      once: {
        title: "Aberto uma vez",
        text: "Carregar a página não abre nada, então as prévias em chats não fazem mal. Só o botão abre: o servidor entrega os bytes a um leitor e diz a todos os outros que já foram abertos.",
      },
      gone: {
        title: "Depois é excluído",
        text: "Por dez minutos, a aba do leitor pode pedir de novo, caso a conexão caia. Depois os bytes são excluídos. O que ninguém abre é excluído na hora que você escolheu.",
      },
      knows: {
        title: "O que o servidor sabe",
        text: "O tamanho, e quando foi criado e terminou. Para contar as chamadas, ele guarda por um tempo um resumo com chave dos endereços. Nenhum conteúdo, nome de arquivo, chave ou senha fica em um registro.",
      },
      cannot: {
        title: "O que nenhum servidor pode evitar",
        text: "Quem tiver o link completo primeiro pode abri-lo: acrescente uma frase secreta e envie-a por outro meio. E você confia nas páginas que o seu navegador carrega. Por isso elas podem ser verificadas.",
      },
    },
    verify: {
      lead: "O que criptografa é o que este servidor envia ao seu navegador. Então veja você mesmo se é o que foi publicado.",
      read: {
        title: "Ver que páginas são estas",
        text: "A versão e o resumo de todos os arquivos destas páginas, como elas mesmas informam no rodapé de cada página:",
      },
      compare: {
        title: "Comparar a partir de outro lugar",
        text: "De qualquer máquina com Node. O comando busca cada arquivo destas páginas e o compara com o publicado:",
      },
      build: {
        title: "Ou compilar você mesmo",
        text: "O mesmo código-fonte gera os mesmos bytes em qualquer máquina. Obtenha o código desta versão, compile e compare os resumos.",
      },
      limits: {
        title: "O que isto não prova",
        text: "Um servidor poderia enviar a você páginas diferentes das dos outros. Quando isso importar, use a linha de comando: ela não recebe páginas de nenhum servidor.",
      },
    },
  },
};
