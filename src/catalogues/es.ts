import type { Catalogue } from "./catalogue.ts";

/** Español. */
export const es: Catalogue = {
  locale: "es",
  dir: "ltr",
  title: (mode, trigger, service) =>
    service !== undefined
      ? `Conectar ${service}`
      : mode === "form"
        ? "Se necesitan algunos datos"
        : trigger === "credential_required"
          ? "Conecta tu cuenta"
          : "Continúa en otra página",
  claimedName: (name) => `Dice llamarse «${name}». Nadie ha verificado este nombre.`,
  connect: "Conectar",
  connectAnyway: "Conectar de todos modos",
  tryAgain: "Reintentar",
  showWindow: "Mostrar ventana",
  openAgain: "Abrir de nuevo",
  finished: "He terminado",
  decline: "Rechazar",
  dismiss: "Ahora no",
  cancel: "Cancelar",
  close: "Cerrar",
  retry: "Enviar de nuevo",
  submit: "Enviar",
  confirm: "Confirmar",
  changeAnswer: "Cambiar la respuesta",
  copyLink: "Copiar",
  linkCopied: "Copiado",
  link: (host) => `Enlace a ${host}`,
  decodedHost: (host) => `se lee como ${host}`,
  urlReasons: {
    "white-space": "El enlace contiene espacios.",
    control: "El enlace contiene caracteres de control.",
    bidi: "El enlace contiene caracteres que invierten el sentido de lectura.",
    invisible: "El enlace contiene caracteres invisibles.",
    backslash: "El enlace contiene una barra invertida que oculta adónde lleva.",
    unparsable: "El enlace no es una dirección web válida.",
    scheme: "El enlace no lleva a una página web.",
    insecure: "La conexión con esta dirección no estaría cifrada.",
    userinfo: "El enlace contiene un nombre antes de la dirección que oculta adónde lleva.",
    "invalid-host": "El enlace no indica una dirección válida.",
    punycode: "Nombre internacional. Compáralo letra por letra.",
    "mixed-script": "Mezcla letras de distintos alfabetos.",
    lookalike: "Sus letras son de otro alfabeto y solo parecen iguales.",
    "loopback-http": "Dirección local de desarrollo",
    "ip-host": "La dirección es un número en lugar de un nombre.",
    "unusual-port": "La dirección tiene un puerto inusual.",
    "trailing-dot": "La dirección termina en punto.",
    "host-differs": "El enlace está escrito de otra manera que la dirección a la que lleva.",
  },
  imitates: (host) => `Esto no es ${host}`,
  blockedUrl: "Este enlace no es seguro, así que no se puede abrir.",
  blockedForm: "Este formulario no se puede mostrar.",
  schemaReasons: {
    "not-an-object-schema": "No es una lista de preguntas.",
    "too-large": "El formulario es demasiado grande.",
    "too-many-properties": "Hay demasiadas preguntas.",
    "too-many-options": "Hay demasiadas opciones.",
    "unsupported-property": "Este tipo de pregunta no se admite.",
    "invalid-keyword": "La pregunta se contradice.",
  },
  aboutQuestion: (name, reason) => `«${name}»: ${reason}`,
  waiting: {
    open: "Termina en la ventana que se abrió",
    closed: "La ventana parece cerrada",
    blocked: "El navegador no ha abierto la ventana",
    elsewhere: "Termina en la página de la otra pestaña",
  },
  waitingFor: (host) => `Esperando a ${host}`,
  windowClosed: "¿Has cerrado la ventana?",
  checking: "Comprobando…",
  openInNewTab: "Abrir en una pestaña nueva",
  continueInThisTab: "Continuar en esta pestaña",
  submitting: "Enviando…",
  held: "Tu respuesta se guarda hasta que se respondan las demás de este grupo. Aún puedes cambiarla.",
  notices: {
    "not-completed": "Aún no ha terminado. Completa los pasos en la página y vuelve a intentarlo.",
    "provider-error": "La página ha informado de un problema. Puedes intentarlo de nuevo.",
    offline: "Parece que no tienes conexión. Tu respuesta se guarda y se enviará de nuevo.",
    "server-error": "No se ha podido entregar la respuesta.",
    refused: "La respuesta no ha sido aceptada.",
    "answered-elsewhere": "Respondido en otro lugar.",
  },
  receipt: (mode, outcome, service) =>
    ({
      accepted: service ? `${service} conectado` : mode === "url" ? "Conectado" : "Enviado",
      declined: service ? `Has rechazado conectar ${service}` : "Lo has rechazado",
      cancelled: "Descartado",
      expired: service ? `La solicitud de ${service} caducó` : "La solicitud caducó",
      withdrawn: "Ya no es necesario",
      failed: service ? `No se pudo conectar ${service}` : "No ha funcionado",
      gone: "Esta solicitud ya no está abierta",
    })[outcome],
  discardTyped: "¿Descartar lo que has escrito?",
  keepEditing: "Seguir editando",
  discard: "Descartar",
  typed: "Lo que has escrito",
  sentNote: "Solo se te muestra en esta sesión.",
  notShown: "enviado, no se muestra",
  errorCount: (count) => (count === 1 ? "Revisa 1 respuesta" : `Revisa ${count} respuestas`),
  timeLeft: (time) => `Quedan ${time}`,
  underTwoMinutes: "Quedan menos de dos minutos.",
  roundProgress: (answered, size) => `${answered} de ${size} respondidas; se envían juntas`,
  optional: "opcional",
  range: (minimum, maximum) =>
    maximum === undefined
      ? `${minimum} o más`
      : minimum === undefined
        ? `Hasta ${maximum}`
        : `De ${minimum} a ${maximum}`,
  count: (minimum, maximum) =>
    maximum === undefined
      ? `Elige al menos ${minimum}`
      : minimum === undefined
        ? `Elige ${maximum} como máximo`
        : minimum === maximum
          ? `Elige ${minimum}`
          : `Elige de ${minimum} a ${maximum}`,
  outOf: (value, most) => `${value} de ${most}`,
  chosen: (outOf) => `${outOf} elegidas`,
  errors: {
    required: () => "Rellena este campo.",
    "too-short": (limit) => `Escribe al menos ${limit} caracteres.`,
    "too-long": (limit) => `Escribe ${limit} caracteres como máximo.`,
    email: () => "Escribe una dirección de correo, como nombre@example.com.",
    uri: () => "Escribe una dirección web completa, como https://example.com.",
    date: () => "Escribe una fecha.",
    "date-time": () => "Escribe una fecha y una hora.",
    pattern: () => "Usa el formato solicitado.",
    number: () => "Escribe un número.",
    integer: () => "Escribe un número entero.",
    "too-small": (limit) => `Escribe ${limit} o más.`,
    "too-large": (limit) => `Escribe ${limit} o menos.`,
    "not-an-option": () => "Elige una de las opciones.",
    "too-few": (limit) => `Elige al menos ${limit}.`,
    "too-many": (limit) => `Elige ${limit} como máximo.`,
    duplicate: () => "Elige cada opción una sola vez.",
    type: () => "Revisa esta respuesta.",
    "unknown-field": () => "Esto no se ha preguntado.",
  },
  yes: "Sí",
  no: "No",
  choose: "Elige…",
  clear: "Borrar",
  notSet: "Sin definir",
  decrease: "Uno menos",
  increase: "Uno más",
  search: "Buscar",
  moreOptions: (hidden) => `${hidden} más. Escribe para acotar la lista.`,
  noMatch: "No hay coincidencias.",
  timeZone: "Zona horaria",
  localTime: (zone) => `Tu hora (${zone})`,
  secretsWarning: (fields) =>
    `Este formulario pide algo secreto (${fields}). Quien lo pide podrá leerlo y conservarlo.`,
  secretsConfirm: "Quiero compartirlo",
  secretsRefused: "Este formulario pide secretos, y eso no está permitido aquí.",
};
