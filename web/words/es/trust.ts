import type { TrustWords } from "../en/trust.ts";
import type { Translation } from "../translation.ts";

/** What says why the service can be trusted, in Spanish. */
export const trust: Translation<TrustWords> = {
  trust: {
    title: "Sellado aquí, abierto una vez",
    verifiable: "Cada versión se puede comprobar, byte a byte.",
    journey: {
      sealed: {
        title: "Sellado aquí",
        text: "Tu navegador lo cifra antes de enviarlo. El servidor nunca tiene la clave.",
      },
      sent: {
        title: "Enviado como enlace",
        text: "Cargar la página no abre nada, ni tampoco una vista previa en un chat.",
      },
      opened: {
        title: "Abierto una vez",
        text: "Por quien tenga primero el enlace. Después se elimina, y tú lo ves.",
      },
    },
  },
};
