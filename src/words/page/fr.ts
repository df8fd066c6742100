import type { PageWords } from "./en.ts";

export const fr: PageWords = {
  locale: "fr",
  dir: "ltr",
  backToChat: "Revenir à votre chat",
  closeWindow: "Vous pouvez fermer cette fenêtre.",
  closesSoon: "Cette fenêtre va se fermer.",
  tryAgain: "Réessayer",
  signIn: (site) => (site === undefined ? "Se connecter" : `Se connecter à ${site}`),
  switchAccount: "Changer de compte",
  checking: { title: "Un instant", text: "Votre chat vérifie que c’est bien vous." },
  continue: "Continuer",
  connect: (service) => `Connecter ${service}`,
  asksToUse: (service) => ["", ` demande à utiliser votre compte ${service} pour vous.`],
  assistant: "L’assistant",
  can: "Peut",
  cannot: "Ne peut pas",
  seePassword: "Voir votre mot de passe",
  stayConnected: "Garder l’accès jusqu’à ce que vous le retiriez",
  usesNamedRight: (right) => `Utiliser « ${right} », un droit que ce serveur a nommé lui-même`,
  moreAccess: "Accès supplémentaire",
  neededFor: "Nécessaire pour",
  signedInAs: "Connecté en tant que",
  chat: "Chat",
  passwordOnlyAt: ["Ne saisissez votre mot de passe que sur ", "."],
  nextPageShows: "La page suivante doit afficher cette adresse.",
  details: "Détails",
  rights: "Droits",
  expires: "Expire",
  takeBack: "Retirer",
  notYou: "Ce n’est pas vous ?",
  sure: {
    title: (account) => `Vous n’êtes pas ${account} ?`,
    text: "Alors ne continuez pas. Utilisez votre propre compte de chat.",
    itIsMe: "C’est moi",
    notMe: "Ce n’est pas moi",
  },
  sharedUse: (service) =>
    `Toute personne qui utilise ce compte de chat pourra utiliser le compte ${service} que vous connectez.`,
  continueTo: (service) => `Continuer vers ${service}`,
  decline: "Refuser",
  passwordStays: (service) => `Votre mot de passe reste chez ${service}.`,
  otherAddress: {
    title: "Une autre adresse gère la connexion",
    text: (server, host) =>
      `Pour ${server}, vous saisissez votre mot de passe sur ${host}. Continuez seulement si vous connaissez cette adresse.`,
  },
  checkNextAddress:
    "La page suivante vous demande de vous connecter. Ne saisissez votre mot de passe que si vous connaissez son adresse.",
  signInChanged: (service) =>
    `La connexion à ${service} a changé depuis que vous avez vu cette page. Relisez-la avant de continuer.`,
  unknownServer: "Cette page ne connaît ce serveur que par son adresse.",
  didNotAsk: "Vous n’avez rien demandé ? Refusez, ou fermez cette fenêtre.",
  nothingConnected: "Rien n’a été connecté. Vous pouvez réessayer.",
  accountAt: (service) => `Compte ${service}`,
  connected: "Connecté",
  remove: "Retirer",
  removed: (service) => ({
    title: `${service} n’est plus connecté`,
    text: "Votre chat ne peut plus utiliser ce compte. Vous pouvez le connecter de nouveau depuis votre chat.",
  }),
  accounts: {
    title: "Comptes connectés",
    text: "Votre chat peut utiliser ces comptes pour vous.",
    none: "Aucun compte n’est connecté.",
    notChecked: "Ne peut pas être vérifié pour le moment",
    since: (date) => `Connecté depuis le ${date}`,
    forgotten:
      "Cette page a oublié qui vous êtes. Connectez-vous à votre chat avec votre propre compte, puis ouvrez à nouveau cette page.",
    notRevoked: (service) =>
      `${service} n’a pas pu être averti. Retirez aussi l’accès dans votre compte là-bas.`,
    notRemoved: (service) =>
      `${service} n’a pas pu être joint, le compte est donc toujours connecté. Réessayez.`,
  },
  remembered: {
    title: "Réponses mémorisées",
    text: "Les outils de votre chat utilisent ces réponses sans vous demander.",
    until: (date) => `jusqu’au ${date}`,
  },
  ended(outcome, service) {
    const notConnected = `${service} n’a pas été connecté`;
    switch (outcome) {
      case "accepted":
        return { title: `${service} est connecté`, text: "Votre chat continue tout seul." };
      case "declined":
        return {
          title: notConnected,
          text: "Vous avez refusé. Rien n’a été partagé, et votre chat continue sans cela.",
        };
      case "cancelled":
        return { title: notConnected, text: "La demande a été fermée. Rien n’a été partagé." };
      case "expired":
        return {
          title: "Cette demande a expiré",
          text: "Rien n’a été partagé. Refaites la demande dans votre chat.",
        };
      case "withdrawn":
        return {
          title: "Cette demande a été retirée",
          text: "Votre chat n’en a plus besoin. Rien n’a été partagé.",
        };
      case "failed":
        return { title: `${service} n’a pas pu être connecté`, text: "Refaites la demande dans votre chat." };
    }
  },
  asksYou: ["", " vous demande :"],
  checkAnswers: "Vérifiez ces réponses.",
  chatGoesOn: "Votre chat continue tout seul.",
  goBackThere: "Vous pouvez retourner là où la question a été posée.",
  roundProgress: (answered, size) =>
    `${answered} sur ${size} avec réponse. Chaque réponse est envoyée séparément. Votre chat continue après la dernière.`,
  nothingShared: "Rien n’a été partagé.",
  failures: {
    denied: (service) => `Vous avez annulé sur ${service}. Rien n’a été connecté.`,
    code: (service, code) => `${service} a répondu par une erreur (${code}).`,
    unreachable: (service) => `${service} n’a pas pu être joint, ou sa réponse n’a pas été comprise.`,
    notSetUp: (service) =>
      `${service} ne peut pas encore être connecté. L’exploitant de ce chat doit d’abord le configurer.`,
    notApproved: (service) =>
      `Un administrateur de ${service} doit d’abord donner son accord. Demandez-le-lui, puis réessayez.`,
    notConnected: (service) => `${service} n’a pas été connecté.`,
    notConnectedCode: (service, code) => `${service} n’a pas été connecté (${code}).`,
  },
  apiKey: {
    add: (service) => `Ajoutez votre clé d’API ${service}`,
    format: (prefix, length) =>
      `Commence par « ${prefix} »${length === undefined ? "." : `, ${length} caractères.`}`,
    wrongFormat: (service, prefix) =>
      `Ce n’est pas une clé ${service}. Celles-ci commencent par « ${prefix} ».`,
    show: "Afficher",
    hide: "Masquer",
    canUse: (service) => `Utiliser ${service} avec tous les droits de cette clé`,
    seeKey: "Voir la clé. Elle n’entre jamais dans le chat",
    asksForKey: (service) => ["", ` a besoin d’une clé d’API pour utiliser ${service} pour vous.`],
    label: (service) => `Votre clé d’API pour ${service}`,
    newKey: (service) => `Nouvelle clé d’API pour ${service}`,
    whereToFind: (service) => `Où trouver votre clé ${service}`,
    save: "Enregistrer la clé",
    replace: "Remplacer la clé",
    refused: (service) => `${service} n’a pas accepté cette clé.`,
    unchecked: (service) => `${service} n’a pas pu vérifier la clé. Réessayez.`,
  },
  nango: {
    starting: "Un instant…",
    waiting:
      "Continuez dans la fenêtre qui s’est ouverte. Si elle est fermée, appuyez de nouveau sur le bouton.",
    blocked: "Votre navigateur n’a pas ouvert la fenêtre. Appuyez encore une fois sur le bouton.",
    offline: "Il n’y a pas de connexion pour le moment. Appuyez sur le bouton pour réessayer.",
    needsScript: "Cette page a besoin de JavaScript pour connecter votre compte.",
  },
  unknownPerson: {
    title: "Cette page ne peut pas savoir qui vous êtes",
    signedOut: "Vous n’êtes pas connecté à votre chat dans ce navigateur. Connectez-vous-y, puis réessayez.",
    noReferrer:
      "Votre navigateur n’indique pas à cette page d’où vous venez : elle doit être ouverte par votre chat. Appuyez-y sur « Connecter ».",
    notOpenedByChat: "Elle n’a pas été ouverte par votre chat. Appuyez-y sur « Connecter » pour l’ouvrir.",
    stillUnknown:
      "Votre navigateur bloque les cookies de cette page, plus de quelques minutes se sont écoulées, ou vous n’êtes pas connecté à votre chat.",
    notForYou:
      "Si vous n’alliez pas connecter un compte, fermez cette page. Quelqu’un vous a peut-être envoyé un lien qui ne vous est pas destiné.",
  },
  unavailable: {
    title: "Ce lien ne peut pas être utilisé",
    text: "Il appartient peut-être à un autre compte, il a déjà été utilisé, ou il a expiré. Recommencez depuis votre chat.",
  },
  youAre: ["Vous êtes connecté en tant que ", "."],
  forgotten: {
    title: "Utilisez votre propre compte de chat",
    text: "Cette page a oublié qui vous êtes, et rien n’a été connecté. Connectez-vous à votre chat avec votre compte, puis appuyez-y sur « Connecter ».",
  },
  forgottenAnswer: {
    title: "Utilisez votre propre compte de chat",
    text: "Cette page a oublié qui vous êtes, et rien n’a été envoyé. Connectez-vous à votre chat avec votre compte, puis ouvrez-y la question.",
  },
  later: {
    title: "Votre chat ne peut pas répondre pour le moment",
    text: "Attendez une minute, puis réessayez.",
  },
  tooMany: { title: "Trop de tentatives", text: "Attendez une minute, puis rechargez cette page." },
  broken: {
    title: "Un problème est survenu",
    text: "Attendez un instant, puis réessayez depuis votre chat.",
  },
};
