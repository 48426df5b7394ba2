import type { FileWords } from "../en/files.ts";
import type { Translation } from "../translation.ts";

/** What is said of files on all pages, in Spanish. */
export const files: Translation<FileWords> = {
  files: {
    pdf: "un PDF",
    pdfs: "archivos PDF",
    pages: "archivos PDF o imágenes",
    morePages: "más archivos PDF o imágenes",
    images: "imágenes",
    any: "un archivo",
    anyMore: "otro archivo",
    several: "archivos",
    drop: "Suelta o pega {what} aquí, o",
    choose: "Elegir {what}",
    add: "Añadir {what}",
    dropHint: "No se sube nada, salvo que elijas «En el servidor».",
    refused: {
      pdf: "Omitido porque no es un PDF: {names}",
      image: "Omitido porque no es una imagen que se pueda leer aquí: {names}",
      page: "Omitido porque no es un PDF ni una imagen que se pueda leer aquí: {names}",
      text: "No es un texto y se ha omitido: {names}",
    },
    chooseOther: "Elegir otro archivo",
    onlyOne: "Esta página admite un solo archivo cada vez, así que se ha omitido: {names}",
    folders: "No se puede usar una carpeta, solo los archivos que contiene: {names}",
    unreadable: "Ya no está o no se puede leer: {names}",
    where: "Dónde",
    places: { here: "En este navegador", server: "En el servidor" },
    placeHints: {
      here: "Nada sale de tu dispositivo.",
      server: "Se envía al servidor, que lo mantiene en memoria mientras trabaja y no guarda nada.",
    },
    old: "Has cambiado algo desde entonces. Ejecútalo otra vez para obtener un resultado nuevo.",
    next: "Seguir con él:",
    suggest: "Proponer una contraseña",
    openLocked: "Abrir un archivo protegido",
    saveOne: "Guardar {name}",
    saveAll: "Guardar todo",
    undo: "Volver a los archivos",
    chosen: "Archivos elegidos",
    sendOnce: "Enviar una sola vez",
  },
  received: {
    lead: "¿Qué quieres hacer con ello? No se ha enviado nada.",
    nothingTitle: "No ha llegado nada",
    nothing:
      "El navegador no ha entregado nada. Compártelo otra vez, o elige una página y dale allí el archivo.",
  },
  order: {
    moved: "{name} es ahora el número {number} de {count}",
    up: "Subir {name}",
    down: "Bajar {name}",
    remove: "Quitar {name}",
  },
};
