import type { ProofWords } from "../en/proof.ts";
import type { Translation } from "../translation.ts";

/** What explains how secrets are kept, and how the pages are verified, in Spanish. */
export const proof: Translation<ProofWords> = {
  proof: {
    drawing: {
      seen: "Lo que ve el servidor: un número, con el que guarda bytes que no puede leer.",
      kept: "Lo que nunca ve: la clave. Los navegadores no envían lo que va después del #.",
    },
    how: {
      lead: "Qué pasa entre tu teclado y la pantalla de quien lo lee, y qué no puede hacer nadie por el camino.",
      sealed: {
        title: "Sellado en tu navegador",
        text: "Tu navegador crea una clave aleatoria de 256 bits y cifra con ella lo que has escrito y tus archivos, con sus nombres (AES-256-GCM). Solo entonces se envía algo.",
      },
      link: {
        title: "La clave está en el enlace",
        text: "Va después del #, que los navegadores no envían. Quien administra el servidor, o se lo lleva, tiene bytes sin clave.",
      },
      once: {
        title: "Abierto una vez",
        text: "Cargar la página no abre nada, así que las vistas previas de los chats no hacen daño. Solo abre el botón: el servidor entrega los bytes a un lector y a todos los demás les dice que ya se abrieron.",
      },
      gone: {
        title: "Después se elimina",
        text: "Durante diez minutos, la pestaña del lector puede volver a pedirlo, por si se corta la conexión. Después se eliminan los bytes. Lo que nadie abre se elimina en el momento que elegiste.",
      },
      knows: {
        title: "Lo que sabe el servidor",
        text: "El tamaño, y cuándo se creó y terminó. Para contar las llamadas guarda un tiempo un resumen con clave de las direcciones. Ningún contenido, nombre de archivo, clave ni contraseña queda en un registro.",
      },
      cannot: {
        title: "En lo que ningún servidor puede ayudar",
        text: "Quien tenga primero el enlace completo puede abrirlo: añade una frase de contraseña y envíala por otro medio. Y confías en las páginas que carga tu navegador. Por eso se pueden verificar.",
      },
    },
    verify: {
      lead: "Lo que cifra es lo que este servidor envía a tu navegador. Así que comprueba tú mismo que es lo que se publicó.",
      read: {
        title: "Ver qué páginas son",
        text: "La versión y el resumen de todos los archivos de estas páginas, como lo indican ellas mismas al pie de cada página:",
      },
      compare: {
        title: "Compararlas desde otro lugar",
        text: "Desde cualquier equipo con Node. La orden descarga cada archivo de estas páginas y lo compara con el publicado:",
      },
      build: {
        title: "O compilarlas tú mismo",
        text: "El mismo código fuente da los mismos bytes en cualquier equipo. Obtén el código de esta versión, compílalo y compara los resúmenes.",
      },
      limits: {
        title: "Lo que esto no demuestra",
        text: "Un servidor podría enviarte a ti otras páginas que a los demás. Cuando eso importe, usa la línea de órdenes: no toma páginas de ningún servidor.",
      },
    },
  },
};
