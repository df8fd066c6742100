"use client";
import { ElicitationAnnouncer, useElicitation, type UseElicitationOptions } from "elicit-kit";
import { ConnectCard } from "./connect-card";
import { FormCard } from "./form-card";

/** All requests of a conversation, in the order in which they were asked. Stands in the place of `Elicitations`. */
export function ElicitationCards(props: UseElicitationOptions) {
  const { elicitations } = useElicitation(props);
  return (
    <ElicitationAnnouncer>
      {elicitations.map((elicitation) =>
        elicitation.request.mode === "url" ? (
          <ConnectCard key={elicitation.id} elicitation={elicitation} />
        ) : (
          <FormCard key={elicitation.id} elicitation={elicitation} />
        ),
      )}
    </ElicitationAnnouncer>
  );
}
