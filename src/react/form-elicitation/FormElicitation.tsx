"use client";
import { memo } from "react";
import type { Field } from "../../form/index.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import { en } from "../catalogues/en.ts";
import type { Controls } from "./context.ts";
import * as Parts from "./index.parts.ts";

export interface FormElicitationProps {
  elicitation: BoundElicitation;
  /** @default English */
  catalogue?: Catalogue | undefined;
  /** See `FormElicitationParts.Root`. @default "confirm" */
  secrets?: "confirm" | "refuse" | undefined;
  components?: { control?: Controls | undefined } | undefined;
}

/** A form request as a card: who asks for what, the questions, submit, no, not now, and in the end the receipt. */
export const FormElicitation = memo(function FormElicitation(props: FormElicitationProps) {
  const { elicitation, catalogue = en, secrets, components } = props;
  return (
    <Parts.Root
      className="elicit-card"
      elicitation={elicitation}
      catalogue={catalogue}
      secrets={secrets}
      controls={components?.control}
    >
      <Parts.Title className="elicit-title" />
      <Parts.Dismiss className="elicit-close" aria-label={catalogue.dismiss}>
        ×
      </Parts.Dismiss>
      <Parts.Requester className="elicit-muted" />
      <Parts.Message className="elicit-message" />
      <Parts.Warnings className="elicit-warnings" />
      <Parts.Fields className="elicit-fields">{question}</Parts.Fields>
      <Parts.SecretsWarning className="elicit-secrets" />
      <Parts.Notice className="elicit-notice" />
      <div className="elicit-actions">
        <Parts.Submit className="elicit-button elicit-primary" />
        <Parts.Retry className="elicit-button" />
        <Parts.Decline className="elicit-button" />
        <Parts.Remaining className="elicit-muted" />
      </div>
      <Parts.Receipt className="elicit-receipt" />
    </Parts.Root>
  );
});

// The same elements for every field: React passes over them when a field renders again.
const PARTS = (
  <>
    <Parts.Label className="elicit-label" />
    <Parts.Control />
    <Parts.Description className="elicit-muted" />
    <Parts.Error className="elicit-error" />
  </>
);
const question = (field: Field) => (
  <Parts.Field key={field.name} className="elicit-field" field={field}>
    {PARTS}
  </Parts.Field>
);
