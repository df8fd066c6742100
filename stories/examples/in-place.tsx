import type { UIMessage } from "ai";
import { ElicitationAnnouncer, useElicitationList } from "elicit-kit";
import { ElicitationPrompt } from "elicit-kit/cards";
import type { ElicitationClient } from "elicit-kit/client";

export interface TranscriptProps {
  client: ElicitationClient;
  conversationId: string;
  messages: readonly UIMessage[];
}

/** Each card is in the message that asked, between the text before it and the text after it. */
export function Transcript(props: TranscriptProps) {
  const { elicitations } = useElicitationList(props);
  const byId = new Map(elicitations.map((elicitation) => [elicitation.id, elicitation]));
  return (
    <ElicitationAnnouncer>
      {props.messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((part, index) => {
            if (part.type === "text") return <p key={index}>{part.text}</p>;
            if (part.type !== "data-elicitation-request" || !("id" in part)) return null;
            const elicitation = byId.get(part.id ?? "");
            return elicitation && <ElicitationPrompt key={elicitation.id} elicitation={elicitation} />;
          })}
        </article>
      ))}
    </ElicitationAnnouncer>
  );
}
