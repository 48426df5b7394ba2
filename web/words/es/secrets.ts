import type { SecretWords } from "../en/secrets.ts";
import { plural } from "../plural.ts";
import type { Translation } from "../translation.ts";

/** What sharing a secret and asking for one say in Spanish. */
export const secrets: Translation<SecretWords> = {
  share: {
    lead: "Tu texto o archivo se cifra en este navegador. El enlace lo abre una sola vez y después desaparece.",
    field: "Tu secreto",
    placeholder: "Una contraseña, una nota, una clave…",
    missing: "Primero escribe o pega algo.",
    tooLongForMember: "Son {count} caracteres. Un secreto puede tener hasta {limit}.",
    tooLongForGuest: "Son {count} caracteres. Sin cuenta, un secreto puede tener hasta {limit}.",
    passphrase: "Frase de paso (opcional)",
    passphraseRequired: "Esta instancia exige una frase de paso para cada secreto.",
    passphraseHint:
      "Envíala por un medio distinto del enlace. Tras diez intentos erróneos, el secreto se elimina.",
    suggest: "Proponer una frase de paso",
    more: "Más opciones",
    side: "Cifrado por",
    sides: { here: "Este navegador", server: "El servidor" },
    sideHints: {
      here: "Se cifra antes de salir de este navegador. El servidor nunca tiene la clave.",
      server:
        "Se envía por la conexión y lo cifra el servidor, que después olvida la clave. Se abre con curl y en navegadores sin JavaScript.",
    },
    submit: "Crear enlace",
    busy: "Cifrando…",
    failed: "No se ha compartido nada",
    tools: "O trabaja con un archivo, sin que salga de este navegador",
    insecureTitle: "Este navegador no puede cifrar aquí",
    insecure:
      "Esta página se ha cargado por HTTP sin cifrar, donde los navegadores desactivan el cifrado. Tu texto viajaría sin cifrar y lo cifraría el servidor. Para cifrarlo aquí, abre esta página por HTTPS o en localhost.",
    dropHint: "O suelta uno en cualquier parte de esta página, o pégalo.",
    sending: "Cifrando y enviando el archivo",
    message: "Mensaje (opcional)",
    memberSize: "Con una cuenta en este servidor puedes enviar hasta {size}.",
    people: "Un enlace para cada una de varias personas (opcional)",
    peopleHint: "Un nombre en cada línea. Los nombres se quedan en este navegador.",
    peoplePlaceholder: "Ada",
    tooManyPeople: "Son demasiados: {limit} nombres como máximo.",
  },
  lifetime: {
    label: "Si nadie lo abre, eliminarlo después de",
    own: "Otro plazo…",
    amount: "Eliminarlo después de",
    unit: "Unidad",
    units: { minutes: "minutos", hours: "horas", days: "días" },
    range: "De {from} a {to}.",
  },
  label: { field: "Etiqueta (opcional)", hint: "Aparece en tu lista. Solo este navegador puede leerla." },
  shared: {
    notice: {
      ask: "Avisarme cuando se abra",
      on: "Este navegador te avisa cuando se abra, mientras esta página siga abierta.",
      denied: "Este navegador no permite notificaciones desde aquí. Puedes cambiarlo en sus ajustes.",
      revealed: "Se abrió tu secreto.",
      revoked: "Se borró tu secreto.",
      expired: "Tu secreto caducó y nadie lo abrió.",
      locked: "Tu secreto se bloqueó tras diez frases de paso incorrectas y nadie lo leyó.",
    },
    title: "Envía este enlace",
    lead: "Se abre una sola vez. Cópialo ahora: solo se muestra aquí.",
    link: "El enlace",
    copy: "Copiar enlace",
    copyMessage: "Copiar como mensaje",
    share: "Compartir…",
    message: "Aquí tienes un secreto. Este enlace lo abre una sola vez, y solo hasta el {time}:",
    qr: "Código QR",
    qrLabel: "El enlace como código QR",
    passphrase: "La frase de paso",
    passphraseHint: "También hace falta. Envíala por un medio distinto del enlace, por ejemplo por teléfono.",
    deletes: "Se eliminará {time} si nadie lo abre.",
    deleteNow: "Eliminar ahora",
    deleteConfirm: "Sí, eliminar",
    preview: "Lo que ve quien lo recibe",
    previewPassphrase: "Después, un campo para la frase de paso, con los intentos que quedan.",
    previewHint:
      "Mostrar la página no abre el secreto, así que las vistas previas de enlaces en los chats no hacen daño.",
    command: "También se puede abrir sin navegador.",
    another: "Compartir otro secreto",
    copiesTitle: "Envía a cada persona su enlace",
    copiesLead: "Cada enlace se abre una sola vez. Cópialos ahora: solo se muestran aquí.",
    copyList: "Copiar todo como lista",
    saveCsv: "Guardar como CSV",
    namesHint: "Solo esta página sabe de quién es cada enlace.",
    linkFor: "El enlace para {name}",
    deleteFor: "Eliminar el secreto para {name}",
    makeLeft: "Reintentar con el resto",
    copiesLeft: plural({
      one: "No se pudo crear un enlace",
      other: "No se pudieron crear {count} enlaces",
    }),
    ends: {
      revealed: {
        title: "Se ha abierto",
        advice:
          "Lo ha abierto quien tiene el enlace. Nadie más puede abrirlo ya. Si no era la persona que querías, cambia lo que contenía.",
      },
      revoked: { title: "Se ha eliminado", advice: "Nadie lo abrió, y ya nadie puede abrirlo." },
      expired: {
        title: "Ha caducado",
        advice:
          "Se acabó su tiempo antes de que alguien lo abriera. Para enviarlo otra vez, compártelo de nuevo.",
      },
      locked: {
        title: "Se ha bloqueado",
        advice:
          "Tras diez frases de contraseña erróneas se eliminó, y nadie lo ha leído. Si tu destinatario se equivocó al escribirla, compártelo de nuevo.",
      },
    },
  },
  asking: {
    lead: "Envía un enlace a alguien. Podrá responder una vez, y solo tú podrás leer la respuesta.",
    note: "¿Qué necesitas? (opcional)",
    noteHint: "Quien tenga el enlace puede leerlo. El servidor no.",
    notePlaceholder: "Por ejemplo: la contraseña del wifi de invitados",
    noteTooLong: "Es demasiado largo. Caben unas {limit} letras.",
    lifetime: "Se puede responder durante",
    submit: "Crear solicitud",
    failed: "No se ha creado la solicitud",
    createdTitle: "Envía el primer enlace y guarda el segundo",
    createdLead: "Ambos solo se muestran aquí.",
    give: "Enlace para enviar",
    message:
      "Necesito que me envíes un secreto. Con este enlace se puede responder una sola vez, hasta el {time}, y nadie más que yo puede leer la respuesta:",
    giveHint: "Quien lo tenga puede responder, una vez. Con él no se puede leer ninguna respuesta.",
    copyGive: "Copiar enlace para enviar",
    keep: "Enlace para guardar",
    keepHint: "Solo este enlace abre la respuesta. Guárdalo y no se lo envíes a nadie.",
    copyKeep: "Copiar enlace para guardar",
    another: "Pedir otra cosa",
    ends: "Termina {time}.",
    read: "Leer la respuesta",
    readHint: "Se puede leer una vez y después se elimina del servidor.",
    reading: "Descifrando…",
    cancel: "Cancelar la solicitud",
    cancelConfirm: "Sí, cancelar",
    answerTitle: "La respuesta",
    isFile: "La respuesta es un archivo",
    openFile: "Abrir el archivo",
    sealed:
      "La respuesta está aquí, pero tu enlace no puede descifrarla. Mantén abierta esta página y pega el enlace completo que guardaste.",
    incomplete:
      "Falta una parte de este enlace. Cópialo de nuevo, del primer al último carácter. No ha pasado nada.",
    unknownTitle: "Ninguna solicitud corresponde a este enlace",
    unknown:
      "Puede que el enlace se haya modificado por el camino, o que la solicitud terminara hace tanto que ya no queda rastro.",
    answerLead:
      "Puedes responder una vez. Tu respuesta se cifra en este navegador y solo puede leerla quien la pidió.",
    theyNeed: "Lo que necesita",
    answer: "Tu respuesta",
    send: "Enviar la respuesta",
    sentTitle: "Tu respuesta se ha enviado",
    sentLead: "Solo puede leerla quien la pidió. Puedes cerrar esta página.",
    typed: "Lo que has escrito",
    status: {
      open: "Esperando respuesta",
      answered: "Respondida",
      collected: "Respuesta leída",
      cancelled: "Cancelada",
      expired: "Caducada",
    },
    states: {
      open: "Nadie ha respondido todavía. Esta página lo mostrará.",
      answered: "Alguien ha respondido. Solo este enlace abre la respuesta.",
      collected: "La respuesta se ha leído y se ha eliminado del servidor.",
      cancelled: "Has cancelado esta solicitud.",
      expired: "Nadie respondió a tiempo, o nadie leyó la respuesta.",
    },
    endings: {
      answered: {
        title: "Esta solicitud ya tiene respuesta",
        advice: "Solo se puede responder una vez. Si no fuiste tú, avisa a quien la pidió.",
      },
      cancelled: { title: "Esta solicitud se canceló", advice: "Quien la pidió ya no necesita respuesta." },
      expired: {
        title: "Esta solicitud ha caducado",
        advice: "Su plazo ha terminado. Pide un enlace nuevo.",
      },
    },
  },
  members: {
    ended:
      "No has iniciado sesión, o tu sesión ha terminado. Inicia sesión y vuelve a intentarlo aquí: lo que has escrito se conserva.",
    again: "Has vuelto a iniciar sesión. Lo que has escrito sigue aquí: inténtalo de nuevo.",
    title: "Esta instancia es para miembros",
    secrets:
      "Inicia sesión para compartir o pedir un secreto. Los enlaces que has recibido se abren sin cuenta.",
    tools: "El servidor solo trabaja para miembros; aquí no hace falta cuenta.",
    login: "Iniciar sesión",
  },
};
