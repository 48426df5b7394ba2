import type { DocsWords } from "../en/docs.ts";
import type { Translation } from "../translation.ts";

/** What the reference of the API says in Spanish. */
export const docs: Translation<DocsWords> = {
  docs: {
    lead: "Todo lo que hacen estas páginas, para scripts y programas. No hace falta una cuenta; un token amplía los límites. Las descripciones están en inglés.",
    loading: "Cargando la referencia…",
    openapi: "Documento OpenAPI 3.1",
    catalogue: "Catálogo con tus límites",
    rpc: "Los mismos procedimientos están disponibles como RPC tipado en {path}.",
    limits: "Tus límites ahora",
    asMember: "Como miembro.",
    asGuest: "Sin cuenta.",
    units: "En todas las páginas, 1 kB son 1024 bytes y 1 MB son 1024 kB.",
    limitNames: {
      calls: "Llamadas a herramientas",
      concurrentCalls: "Llamadas simultáneas",
      fileSize: "Tamaño de un archivo",
      totalSize: "Tamaño de todos los archivos de una llamada",
      pixels: "Píxeles de una imagen, en todos los fotogramas",
      secretLength: "Caracteres de un secreto",
      secretExpires: "Duración de un secreto",
      secretCreates: "Secretos nuevos",
      secretReads: "Apertura y consulta de secretos",
    },
    upTo: "hasta {value}",
    inWindow: "{value} en {window}",
    left: "{value}, quedan {remaining} ahora",
    body: "Cuerpo:",
    parameters: "Parámetros",
    bodyFields: "Campos del cuerpo",
    answer: "Respuesta {status}:",
    answerKeys: "Claves de la respuesta JSON",
    failures: "Errores",
    required: "obligatorio",
    default: "Por defecto: {value}.",
  },
};
