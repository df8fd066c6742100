"use client";
import { type ElicitationComponents, Elicitations, type ElicitationsProps } from "elicit-kit";
import { useMemo } from "react";
import { ConnectCard } from "./connect-card";
import { controls } from "./controls";
import { FormCard } from "./form-card";
import { colours } from "./look";

const cards: ElicitationComponents = {
  ConnectPrompt: ConnectCard,
  FormElicitation: FormCard,
  AssignedElicitation: FormCard,
};

/**
 * All requests of a conversation, in the order in which they were asked. Replaces `Elicitations`, with the same props.
 */
export function ElicitationCards(props: ElicitationsProps) {
  const { components } = props;
  const all = useMemo(
    () => ({ ...cards, ...components, control: { ...controls, ...components?.control } }),
    [components],
  );
  return (
    <div className={colours}>
      <Elicitations {...props} components={all} />
    </div>
  );
}
