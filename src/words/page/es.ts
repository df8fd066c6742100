import type { PageWords } from "./en.ts";

export const es: PageWords = {
  locale: "es",
  dir: "ltr",
  backToChat: "Volver al chat",
  closeWindow: "Puede cerrar esta ventana.",
  closesSoon: "Esta ventana se cierra en un momento.",
  tryAgain: "Reintentar",
  signIn: (site) => (site === undefined ? "Iniciar sesión" : `Iniciar sesión en ${site}`),
  switchAccount: "Cambiar de cuenta",
  checking: { title: "Un momento", text: "Comprobando con su chat que es usted." },
  continue: "Continuar",
  connect: (service) => `Conectar ${service}`,
  asksToUse: (service) => ["", ` pide usar su cuenta de ${service} en su nombre.`],
  assistant: "El asistente",
  can: "Puede",
  cannot: "No puede",
  seePassword: "Ver su contraseña",
  stayConnected: "Seguir con acceso hasta que usted lo quite",
  usesNamedRight: (right) => `Usar «${right}», un permiso que este servidor ha nombrado`,
  moreAccess: "Más acceso",
  neededFor: "Se necesita para",
  signedInAs: "Sesión iniciada como",
  chat: "Chat",
  passwordOnlyAt: ["Escriba su contraseña solo en ", "."],
  nextPageShows: "La página siguiente debe mostrar esta dirección.",
  details: "Detalles",
  rights: "Permisos",
  expires: "Caduca",
  takeBack: "Retirar",
  notYou: "¿No es usted?",
  sure: {
    title: (account) => `¿No es ${account}?`,
    text: "Entonces no continúe. Use su propia cuenta del chat.",
    itIsMe: "Soy yo",
    notMe: "No soy yo",
  },
  sharedUse: (service) =>
    `Quien use esta cuenta del chat podrá usar la cuenta de ${service} que usted conecte.`,
  continueTo: (service) => `Continuar a ${service}`,
  decline: "Rechazar",
  passwordStays: (service) => `Su contraseña se queda en ${service}.`,
  otherAddress: {
    title: "El inicio de sesión está en otra dirección",
    text: (server, host) =>
      `Para ${server}, escribirá su contraseña en ${host}. Continúe solo si conoce esa dirección.`,
  },
  checkNextAddress:
    "La página siguiente le pedirá iniciar sesión. Escriba su contraseña solo si conoce su dirección.",
  signInChanged: (service) =>
    `El inicio de sesión en ${service} ha cambiado desde que vio esta página. Vuelva a leerla antes de continuar.`,
  unknownServer: "Esta página conoce el servidor solo por su dirección.",
  didNotAsk: "¿No lo ha pedido usted? Rechace o cierre esta ventana.",
  nothingConnected: "No se ha conectado nada. Puede volver a intentarlo.",
  accountAt: (service) => `Cuenta de ${service}`,
  connected: "Conectada",
  remove: "Quitar",
  removed: (service) => ({
    title: `${service} ya no está conectado`,
    text: "Su chat ya no puede usar esta cuenta. Puede volver a conectarla desde el chat.",
  }),
  accounts: {
    title: "Cuentas conectadas",
    text: "Su chat puede usar estas cuentas en su nombre.",
    none: "No hay ninguna cuenta conectada.",
    notChecked: "No se puede comprobar en este momento",
    since: (date) => `Conectada desde el ${date}`,
    forgotten:
      "Esta página ha olvidado quién es usted. Inicie sesión en su chat con su propia cuenta y vuelva a abrir esta página.",
    notRevoked: (service) =>
      `No se ha podido avisar a ${service}. Quite el acceso también en su cuenta allí.`,
    notRemoved: (service) =>
      `No se ha podido contactar con ${service}, así que la cuenta sigue conectada. Inténtelo de nuevo.`,
  },
  remembered: {
    title: "Respuestas recordadas",
    text: "Las herramientas de su chat usan estas respuestas sin preguntarle.",
    until: (date) => `hasta el ${date}`,
  },
  ended(outcome, service) {
    const notConnected = `${service} no se ha conectado`;
    switch (outcome) {
      case "accepted":
        return { title: `${service} está conectado`, text: "Su chat continúa por sí solo." };
      case "declined":
        return {
          title: notConnected,
          text: "Usted lo ha rechazado. No se ha compartido nada y su chat continúa sin ello.",
        };
      case "cancelled":
        return { title: notConnected, text: "La solicitud se ha cerrado. No se ha compartido nada." };
      case "expired":
        return {
          title: "Esta solicitud ha caducado",
          text: "No se ha compartido nada. Vuelva a pedirlo en su chat.",
        };
      case "withdrawn":
        return {
          title: "Esta solicitud se ha retirado",
          text: "Su chat ya no la necesita. No se ha compartido nada.",
        };
      case "failed":
        return { title: `No se ha podido conectar ${service}`, text: "Vuelva a pedirlo en su chat." };
    }
  },
  asksYou: ["", " le pregunta:"],
  checkAnswers: "Revise estas respuestas.",
  chatGoesOn: "Su chat continúa por sí solo.",
  goBackThere: "Puede volver adonde se le preguntó.",
  roundProgress: (answered, size) =>
    `${answered} de ${size} respondidas. Cada respuesta se envía por separado. Su chat continúa después de la última.`,
  nothingShared: "No se ha compartido nada.",
  failures: {
    denied: (service) => `Ha cancelado en ${service}. No se ha conectado nada.`,
    code: (service, code) => `${service} ha respondido con un error (${code}).`,
    unreachable: (service) => `No se ha podido contactar con ${service} o no se ha entendido su respuesta.`,
    notSetUp: (service) =>
      `${service} todavía no se puede conectar. El responsable de este chat tiene que configurarlo antes.`,
    notApproved: (service) =>
      `Antes tiene que aprobarlo un administrador de ${service}. Pídaselo y vuelva a intentarlo después.`,
    notConnected: (service) => `${service} no se ha conectado.`,
    notConnectedCode: (service, code) => `${service} no se ha conectado (${code}).`,
  },
  apiKey: {
    add: (service) => `Añada su clave de API de ${service}`,
    format: (prefix, length) =>
      `Empieza por «${prefix}»${length === undefined ? "." : `, ${length} caracteres.`}`,
    wrongFormat: (service, prefix) => `Esta no es una clave de ${service}. Esas empiezan por «${prefix}».`,
    show: "Mostrar",
    hide: "Ocultar",
    canUse: (service) => `Usar ${service} con todos los permisos de esta clave`,
    seeKey: "Ver la clave. Nunca llega al chat",
    asksForKey: (service) => ["", ` necesita una clave de API para usar ${service} por usted.`],
    label: (service) => `Su clave de API de ${service}`,
    newKey: (service) => `Nueva clave de API de ${service}`,
    whereToFind: (service) => `Dónde encontrar su clave de ${service}`,
    save: "Guardar la clave",
    replace: "Sustituir la clave",
    refused: (service) => `${service} no ha aceptado esta clave.`,
    unchecked: (service) => `${service} no ha podido comprobar la clave. Inténtelo de nuevo.`,
  },
  nango: {
    starting: "Un momento…",
    waiting: "Continúe en la ventana que se ha abierto. Si está cerrada, pulse el botón otra vez.",
    blocked: "Su navegador no ha abierto la ventana. Pulse el botón una vez más.",
    offline: "No hay conexión en este momento. Pulse el botón para volver a intentarlo.",
    needsScript: "Esta página necesita JavaScript para conectar su cuenta.",
  },
  unknownPerson: {
    title: "Esta página no puede saber quién es usted",
    signedOut:
      "No ha iniciado sesión en su chat con este navegador. Inicie sesión allí y vuelva a intentarlo.",
    noReferrer:
      "Su navegador no indica a esta página de dónde viene, así que debe abrirla su chat. Pulse allí «Conectar».",
    notOpenedByChat: "No la ha abierto su chat. Pulse allí «Conectar» para abrirla.",
    stillUnknown:
      "Su navegador bloquea las cookies de esta página, han pasado más de unos minutos o no ha iniciado sesión en su chat.",
    notForYou:
      "Si no iba a conectar una cuenta, cierre esta página. Puede que alguien le haya enviado un enlace que no es para usted.",
  },
  unavailable: {
    title: "Este enlace no se puede usar",
    text: "Puede que sea de otra cuenta, que ya se haya usado o que haya caducado. Empiece de nuevo desde su chat.",
  },
  youAre: ["Ha iniciado sesión como ", "."],
  forgotten: {
    title: "Use su propia cuenta del chat",
    text: "Esta página ha olvidado quién es usted y no se ha conectado nada. Inicie sesión en su chat con su cuenta y pulse allí «Conectar».",
  },
  forgottenAnswer: {
    title: "Use su propia cuenta del chat",
    text: "Esta página ha olvidado quién es usted y no se ha enviado nada. Inicie sesión en su chat con su cuenta y abra allí la pregunta.",
  },
  later: {
    title: "Ahora no se puede consultar su chat",
    text: "Espere un minuto y vuelva a intentarlo.",
  },
  tooMany: { title: "Demasiados intentos", text: "Espere un minuto y vuelva a cargar esta página." },
  broken: {
    title: "Algo ha fallado",
    text: "Espere un momento y vuelva a intentarlo desde su chat.",
  },
};
