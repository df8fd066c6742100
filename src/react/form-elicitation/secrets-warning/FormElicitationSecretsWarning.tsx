"use client";
import { type ForwardedRef, forwardRef } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { icon } from "../../prompt/icon.tsx";
import { isOver } from "../../prompt/status-text.ts";
import type { PartRender } from "../../view.ts";
import { type FilledForm, useFilledForm } from "../context.ts";

/**
 * Warns that the form asks for secrets, with a checkbox to confirm sharing them; or says that such forms are not allowed.
 * Renders a `<div>`, or nothing for other forms.
 */
export const FormElicitationSecretsWarning = /* @__PURE__ */ forwardRef(
  function FormElicitationSecretsWarning(
    props: FormElicitationSecretsWarningProps,
    ref: ForwardedRef<HTMLDivElement>,
  ) {
    return usePartElement(props, ref, secretsWarningView(useFilledForm("SecretsWarning")));
  },
);

export function secretsWarningView({
  elicitation,
  catalogue,
  messageId,
  questions: { form, secretFields },
  answers: { secrets },
  refused,
  folded,
}: FilledForm): PartRender<FormElicitationSecretsWarningState> | undefined {
  if (secrets === "none" || folded || isOver(elicitation)) return undefined;
  const names = secretFields.map((field) => field.label).join(", ");
  const missing = secrets === "missing";
  const textId = `${messageId}secrets`;
  const children = (
    <>
      <p>
        {icon("warning")}
        <span id={textId}>{refused ? catalogue.secretsRefused : catalogue.secretsWarning(names)}</span>
      </p>
      {!refused && (
        <label>
          <input
            type="checkbox"
            checked={secrets === "confirmed"}
            aria-describedby={textId}
            aria-invalid={missing || undefined}
            onChange={(event) => form.confirmSecrets(event.currentTarget.checked)}
          />
          <span>{catalogue.secretsConfirm}</span>
        </label>
      )}
    </>
  );
  // The focus goes to `data-confirm` when the confirmation is missing.
  return { tag: "div", state: { refused, missing }, props: { "data-confirm": "", children } };
}

export type FormElicitationSecretsWarningProps = PartProps<"div", FormElicitationSecretsWarningState>;
export interface FormElicitationSecretsWarningState {
  /** `data-refused`: forms that ask for secrets are not allowed here. */
  refused: boolean;
  /** `data-missing`: it was submitted without the confirmation. */
  missing: boolean;
}
