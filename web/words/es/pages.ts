import type { PageWords } from "../en/pages.ts";
import type { Translation } from "../translation.ts";
import { plural } from "../plural.ts";

/** What the menu and the heads of the pages say in Spanish. */
export const pages: Translation<PageWords> = {
  pages: {
    share: {
      label: "Compartir un secreto",
      title: "Compartir un secreto",
      summary: "Un enlace que se abre una sola vez. Cifrado antes de salir de tu navegador.",
    },
    open: {
      label: "Abrir un enlace",
      title: "Abrir un enlace",
      summary: "Pega un enlace que te hayan enviado.",
    },
    "pdf-merge": {
      label: "Unir",
      title: "Unir archivos PDF",
      summary: "Junta documentos en el orden que quieras, con las páginas que elijas.",
    },
    "pdf-split": {
      label: "Dividir",
      title: "Dividir un PDF",
      summary: "Un archivo por página, o conserva o quita algunas páginas.",
    },
    "pdf-rotate": {
      label: "Girar",
      title: "Girar un PDF",
      summary: "Gira todas las páginas o solo algunas.",
    },
    "pdf-clean": {
      label: "Limpiar",
      title: "Limpiar un PDF",
      summary: "Quitar lo que nadie debe encontrar en él.",
    },
    "pdf-compress": {
      label: "Comprimir",
      title: "Comprimir un PDF",
      summary: "Hazlo más pequeño, por ejemplo para un correo.",
    },
    "pdf-lock": {
      label: "Proteger",
      title: "Proteger un PDF",
      summary: "Solo se abre con la contraseña que elijas.",
    },
    "pdf-unlock": {
      label: "Desbloquear",
      title: "Desbloquear un PDF",
      summary: "Quita una contraseña que conoces y las restricciones.",
    },
    "image-convert": {
      label: "Convertir una imagen",
      title: "Convertir una imagen",
      summary: "A WebP, JPEG, PNG o AVIF, sin datos de lugar ni de cámara.",
    },
    "file-encrypt": {
      label: "Proteger un archivo",
      title: "Proteger un archivo con contraseña",
      summary: "Cifra cualquier archivo con una contraseña, o abre uno protegido.",
    },
    "file-hash": {
      label: "Suma de verificación",
      title: "Comprobar un archivo",
      summary: "SHA-256, BLAKE3, MD5 y otros, comparados con la suma que esperas.",
    },
    "text-compare": {
      label: "Comparar",
      title: "Comparar dos textos",
      summary: "En paralelo o como parche, por líneas, palabras o caracteres.",
    },
    password: {
      label: "Contraseña",
      title: "Generar una contraseña",
      summary: "Caracteres o palabras al azar, con su nivel de seguridad.",
    },
    account: { label: "Cuenta", title: "Cuenta", summary: "Tus secretos, tokens y sesiones." },
    "how-it-works": {
      label: "Cómo funciona",
      title: "Cómo funciona",
      summary: "Dónde está la clave, qué ve el servidor y qué no puede hacer.",
    },
    verify: {
      label: "Verificar estas páginas",
      title: "Verificar estas páginas",
      summary: "Comprueba si son las que se publicaron.",
    },
    docs: {
      label: "API",
      title: "API",
      summary: "Todo lo que hacen estas páginas, para scripts y programas.",
    },
    tools: {
      label: "Todas las herramientas",
      title: "Todas las herramientas",
      summary: "Todas las herramientas de un vistazo.",
    },
    members: {
      label: "Miembros",
      title: "Miembros de esta instancia",
      summary: "Ver, desactivar y eliminar cuentas.",
    },
    received: {
      label: "Compartido con Hushkit",
      title: "Compartido con Hushkit",
      summary: "Lo que otro programa ha compartido con estas páginas.",
    },
    "not-found": { title: "Página no encontrada" },
    ask: {
      label: "Pedir un secreto",
      title: "Pedir un secreto",
      summary: "Un enlace al que se puede responder una vez. Solo tú puedes leer la respuesta.",
    },
    answer: { title: "Alguien te pide un secreto" },
    collect: { title: "Tu solicitud" },
  },
  tools: { lead: "Trabajan en tu navegador. Lo que les das se queda en tu dispositivo." },
  notFound: { lead: "Quizá buscabas una de estas." },
  find: {
    open: "Buscar una página o herramienta",
    field: "Página o herramienta",
    list: "Páginas y herramientas",
    none: "Nada se llama así. Prueba con otra palabra.",
    count: plural({ one: "{count} resultado", many: "{count} de resultados", other: "{count} resultados" }),
  },
};
