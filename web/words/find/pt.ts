/** What people call the pages in Portuguese, besides the words of the pages themselves. */
export const terms = {
  share: "enviar mensagem nota link único efêmero entregar",
  ask: "solicitar receber pedido caixa",
  open: "ler ver mostrar receber link",
  "pdf-merge": "juntar combinar unir mesclar anexar imagens em pdf foto digitalização",
  "pdf-split": "separar cortar extrair excluir remover páginas ordenar",
  "pdf-rotate": "girar virar rodar orientação paisagem retrato",
  "pdf-clean": "limpar metadados remover scripts anexos comentários reparar",
  "pdf-compress": "reduzir tamanho menor diminuir e-mail otimizar",
  "pdf-lock": "criptografar proteger senha permissões bloquear",
  "pdf-unlock": "descriptografar senha remover restrições abrir",
  "image-convert":
    "foto converter redimensionar reduzir comprimir recortar girar localização metadados exif jpg heic",
  "file-encrypt": "criptografar descriptografar abrir senha chave age",
  "file-hash": "soma de verificação hash verificar download integridade sha256 md5",
  "text-compare": "diferenças mudanças alterações diff",
  password: "senha frase-senha gerador aleatória pin força",
  account: "entrar login cadastro configurações tokens perfil",
  docs: "documentação desenvolvedores interface curl rest",
  "how-it-works": "segurança criptografia confiança privacidade explicação ponta a ponta servidor",
  verify: "confiança comparar verificar versão impressão digital alterado",
  tools: "ferramentas resumo lista tudo",
};
