"use client";
import { ElicitationAnnouncer, useElicitationList, type UseElicitationListOptions } from "elicit-kit";
import { ConnectCard } from "./connect-card";
import { FormCard } from "./form-card";

/** All requests of a conversation, in the order in which they were asked. Stands in the place of `Elicitations`. */
export function ElicitationCards(props: UseElicitationListOptions) {
  const { elicitations } = useElicitationList(props);
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
