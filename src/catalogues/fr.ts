import type { Catalogue } from "./catalogue.ts";

/** Français. */
export const fr: Catalogue = {
  locale: "fr",
  dir: "ltr",
  title: (mode, trigger, service) =>
    service !== undefined
      ? `Connecter ${service}`
      : mode === "form"
        ? "Quelques informations sont nécessaires"
        : trigger === "credential_required"
          ? "Connectez votre compte"
          : "Continuez sur une autre page",
  claimedName: (name) => `Se présente comme « ${name} ». Personne n’a vérifié ce nom.`,
  connect: "Connecter",
  connectAnyway: "Connecter quand même",
  tryAgain: "Réessayer",
  showWindow: "Afficher la fenêtre",
  openAgain: "Rouvrir",
  finished: "J’ai terminé",
  decline: "Refuser",
  dismiss: "Pas maintenant",
  cancel: "Annuler",
  close: "Fermer",
  retry: "Renvoyer",
  submit: "Envoyer",
  confirm: "Confirmer",
  changeAnswer: "Modifier la réponse",
  copyLink: "Copier",
  linkCopied: "Copié",
  link: (host) => `Lien vers ${host}`,
  decodedHost: (host) => `se lit ${host}`,
  urlReasons: {
    "white-space": "Le lien contient des espaces.",
    control: "Le lien contient des caractères de contrôle.",
    bidi: "Le lien contient des caractères qui inversent le sens de lecture.",
    invisible: "Le lien contient des caractères invisibles.",
    backslash: "Le lien contient une barre oblique inverse qui cache sa destination.",
    unparsable: "Le lien n’est pas une adresse web valide.",
    scheme: "Le lien ne mène pas à une page web.",
    insecure: "La connexion à cette adresse ne serait pas chiffrée.",
    userinfo: "Le lien contient un nom avant l’adresse, qui cache sa destination.",
    "invalid-host": "Le lien n’indique pas d’adresse valide.",
    punycode: "Nom international. Comparez-le lettre par lettre.",
    "mixed-script": "Elle mélange des lettres de plusieurs alphabets.",
    lookalike: "Ses lettres viennent d’un autre alphabet et se ressemblent seulement.",
    "loopback-http": "Adresse locale de développement",
    "ip-host": "L’adresse est un nombre au lieu d’un nom.",
    "unusual-port": "L’adresse utilise un port inhabituel.",
    "trailing-dot": "L’adresse se termine par un point.",
    "host-differs": "Le lien est écrit autrement que l’adresse à laquelle il mène.",
  },
  imitates: (host) => `Ce n’est pas ${host}`,
  blockedUrl: "Ce lien n’est pas sûr : il ne peut pas être ouvert.",
  blockedForm: "Ce formulaire ne peut pas être affiché.",
  schemaReasons: {
    "not-an-object-schema": "Ce n’est pas une liste de questions.",
    "too-large": "Le formulaire est trop grand.",
    "too-many-properties": "Il y a trop de questions.",
    "too-many-options": "Il y a trop de choix.",
    "unsupported-property": "Ce type de question n’est pas pris en charge.",
    "invalid-keyword": "La question se contredit.",
  },
  aboutQuestion: (name, reason) => `« ${name} » : ${reason}`,
  waiting: {
    open: "Terminez dans la fenêtre ouverte",
    closed: "La fenêtre semble fermée",
    blocked: "Votre navigateur n’a pas ouvert la fenêtre",
    elsewhere: "Terminez sur la page de l’autre onglet",
  },
  waitingFor: (host) => `En attente de ${host}`,
  windowClosed: "Fenêtre fermée ?",
  checking: "Vérification…",
  openInNewTab: "Ouvrir dans un nouvel onglet",
  continueInThisTab: "Continuer dans cet onglet",
  submitting: "Envoi…",
  held: "Votre réponse est conservée jusqu’à ce que les autres de ce groupe aient une réponse. Vous pouvez encore la modifier.",
  notices: {
    "not-completed": "Ce n’est pas encore terminé. Terminez les étapes sur la page, puis réessayez.",
    "provider-error": "La page a signalé un problème. Vous pouvez réessayer.",
    offline: "Vous semblez hors ligne. Votre réponse est conservée et sera renvoyée.",
    "server-error": "La réponse n’a pas pu être transmise.",
    refused: "La réponse n’a pas été acceptée.",
    "answered-elsewhere": "Répondu à un autre endroit.",
  },
  receipt: (mode, outcome, service) =>
    ({
      accepted: service ? `${service} connecté` : mode === "url" ? "Connecté" : "Envoyé",
      declined: service ? `Vous avez refusé de connecter ${service}` : "Vous avez refusé",
      cancelled: "Fermé",
      expired: service ? `La demande pour ${service} a expiré` : "La demande a expiré",
      withdrawn: "N’est plus nécessaire",
      failed: service ? `${service} n’a pas pu être connecté` : "Cela n’a pas fonctionné",
      gone: "Cette demande n’est plus ouverte",
    })[outcome],
  discardTyped: "Abandonner votre saisie ?",
  keepEditing: "Continuer la saisie",
  discard: "Abandonner",
  typed: "Votre saisie",
  sentNote: "Affiché pour vous, dans cette session uniquement.",
  notShown: "envoyé, non affiché",
  errorCount: (count) => (count === 1 ? "1 réponse à revoir" : `${count} réponses à revoir`),
  timeLeft: (time) => `Encore ${time}`,
  underTwoMinutes: "Il reste moins de deux minutes.",
  roundProgress: (answered, size) => `${answered} sur ${size} avec réponse, envoyées ensemble`,
  optional: "facultatif",
  range: (minimum, maximum) =>
    maximum === undefined
      ? `${minimum} ou plus`
      : minimum === undefined
        ? `Jusqu’à ${maximum}`
        : `De ${minimum} à ${maximum}`,
  count: (minimum, maximum) =>
    maximum === undefined
      ? `Choisissez-en au moins ${minimum}`
      : minimum === undefined
        ? `Choisissez-en ${maximum} au plus`
        : minimum === maximum
          ? `Choisissez-en ${minimum}`
          : `Choisissez-en de ${minimum} à ${maximum}`,
  outOf: (value, most) => `${value} sur ${most}`,
  chosen: (outOf) => `Choix : ${outOf}`,
  errors: {
    required: () => "Veuillez répondre à cette question.",
    "too-short": (limit) => `Au moins ${limit} caractères, s’il vous plaît.`,
    "too-long": (limit) => `Au plus ${limit} caractères, s’il vous plaît.`,
    email: () => "Veuillez saisir une adresse e-mail, par exemple nom@example.com.",
    uri: () => "Veuillez saisir une adresse web complète, par exemple https://example.com.",
    date: () => "Veuillez saisir une date.",
    "date-time": () => "Veuillez saisir une date et une heure.",
    pattern: () => "Veuillez respecter le format demandé.",
    number: () => "Veuillez saisir un nombre.",
    integer: () => "Veuillez saisir un nombre entier.",
    "too-small": (limit) => `${limit} ou plus, s’il vous plaît.`,
    "too-large": (limit) => `${limit} ou moins, s’il vous plaît.`,
    "not-an-option": () => "Veuillez choisir l’une des réponses proposées.",
    "too-few": (limit) => `Veuillez en choisir au moins ${limit}.`,
    "too-many": (limit) => `Veuillez en choisir au plus ${limit}.`,
    duplicate: () => "Veuillez ne choisir chaque réponse qu’une fois.",
    type: () => "Veuillez vérifier cette réponse.",
    "unknown-field": () => "Cela n’a pas été demandé.",
  },
  yes: "Oui",
  no: "Non",
  choose: "Choisir…",
  clear: "Effacer",
  notSet: "Non défini",
  decrease: "Un de moins",
  increase: "Un de plus",
  search: "Rechercher",
  moreOptions: (hidden) => `${hidden} de plus. Saisissez du texte pour réduire la liste.`,
  noMatch: "Aucun résultat.",
  timeZone: "Fuseau horaire",
  localTime: (zone) => `Votre heure (${zone})`,
  secretsWarning: (fields) =>
    `Ce formulaire demande une information secrète (${fields}). La partie qui la demande pourra la lire et la garder.`,
  secretsConfirm: "Je veux la communiquer",
  secretsRefused: "Ce formulaire demande des secrets, ce qui n’est pas autorisé ici.",
};
