import type { ElicitationRequest } from "elicit-kit/contract";

/** Changes that the controls of a story make to its first request. Empty: no changes. */
export interface CardChanges {
  message?: string | undefined;
  /** Who asks. */
  requester?: string | undefined;
  /** The name that a third party claims. */
  claimedName?: string | undefined;
  /** The service to connect. */
  service?: string | undefined;
  url?: string | undefined;
  purpose?: "connect" | "open" | "pay" | "sign" | undefined;
  layout?: "form" | "steps" | undefined;
}

const text = { control: "text" } as const;

const ofAll = {
  message: { ...text, description: "Why the user is asked." },
  requester: { ...text, description: "Who asks, in the operator's words." },
  claimedName: { ...text, description: "What a third party calls itself." },
};
const ofPages = {
  service: { ...text, description: "What is connected." },
  url: { ...text, description: "Where the link leads." },
  purpose: {
    control: "select",
    options: ["connect", "open", "pay", "sign"],
    description: "What the page is for.",
  },
} as const;
const ofForms = {
  layout: { control: "inline-radio", options: ["form", "steps"], description: "How a form asks." },
  secrets: {
    control: "inline-radio",
    options: ["confirm", "refuse"],
    description: "What a form that asks for secrets does.",
  },
} as const;

/** Controls for the stories of cards, by the mode of their first request. */
export const cardArgTypes = {
  url: { ...ofAll, ...ofPages },
  form: { ...ofAll, ...ofForms },
  both: { ...ofAll, ...ofPages, ...ofForms },
};

const chatWith = (imports: string, cards: string): string => `import { useChat } from "@ai-sdk/react";
${imports}
import "elicit-kit/styles.css";

export function Chat() {
  const elicitation = useElicitation({ api: "/run/api" });
  const chat = useChat(elicitation.chatOptions);
  return (
    <>
      {/* your messages and your composer, with chat.messages and chat.sendMessage */}
      ${cards}
    </>
  );
}`;

/** The code that a user of the kit writes for the cards, by placement. */
const CODE = {
  list: chatWith(
    'import { Elicitations, useElicitation } from "elicit-kit";',
    "<Elicitations {...elicitation} />",
  ),
  dialog: chatWith(
    'import { useElicitation } from "elicit-kit";\nimport { ElicitationDialog } from "elicit-kit/dialog";',
    "<ElicitationDialog {...elicitation} />",
  ),
  composer: chatWith(
    'import { Elicitations, useElicitation } from "elicit-kit";',
    `<Elicitations {...elicitation} placement="log" />
      <Elicitations {...elicitation} placement="composer">
        {/* your composer */}
      </Elicitations>`,
  ),
  inbox: `import { ElicitationInbox } from "elicit-kit/cards";
import { createElicitationClient, createHttpChannel } from "elicit-kit/client";
import "elicit-kit/styles.css";

const client = createElicitationClient({ channel: createHttpChannel({ api: "/run/api" }) });

export function Inbox() {
  return <ElicitationInbox client={client} renderConversation={(id) => <a href={"/chats/" + id}>{id}</a>} />;
}`,
} as const;

/** Code to copy for such a card. */
export const cardSource = (place: keyof typeof CODE) => ({ language: "tsx" as const, code: CODE[place] });

/** Shows only these controls, and the code that a user of the kit writes for such a card. */
export const cardParameters = (mode: keyof typeof cardArgTypes, place: keyof typeof CODE = "list") => ({
  controls: { disable: false, include: Object.keys(cardArgTypes[mode]) },
  docs: { source: cardSource(place) },
});

/** The changes that the user made with the controls. Used as the key of the story's content, it restarts the story. */
export const changesOf = ({
  message,
  requester,
  claimedName,
  service,
  url,
  purpose,
  layout,
}: CardChanges): CardChanges => ({ message, requester, claimedName, service, url, purpose, layout });

/** The requests of a story, with the changes of its controls in the first one. */
export function withChanges(
  requests: readonly ElicitationRequest[] | undefined,
  { message, requester, claimedName, service, url, purpose, layout }: CardChanges,
): readonly ElicitationRequest[] | undefined {
  const [first, ...rest] = requests ?? [];
  if (first === undefined) return requests;
  const name = requester || first.requester?.name;
  const claim = claimedName || first.requester?.claimedName;
  const common = {
    ...(message && { message }),
    ...(name !== undefined && { requester: { name, ...(claim !== undefined && { claimedName: claim }) } }),
  };
  const changed: ElicitationRequest =
    first.mode === "url"
      ? {
          ...first,
          ...common,
          ...(service && { service: { ...first.service, name: service } }),
          ...(url && URL.canParse(url) && { url }),
          ...(purpose && { purpose }),
        }
      : {
          ...first,
          ...common,
          ...(layout && { context: { trigger: "tool", ...first.context, layout } }),
        };
  return [changed, ...rest];
}
