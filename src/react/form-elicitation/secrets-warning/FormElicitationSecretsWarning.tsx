"use client";
import { type ForwardedRef, forwardRef, useSyncExternalStore } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { isOver } from "../../prompt/status-text.ts";
import type { PartRender } from "../../view.ts";
import { type FormShared, useForm } from "../context.ts";

/**
 * Tells that the form asks for secrets, with the checkbox of the second, explicit yes; or that it is refused for it.
 * Renders a `<div>`, or nothing for other forms.
 */
export const FormElicitationSecretsWarning = /* @__PURE__ */ forwardRef(
  function FormElicitationSecretsWarning(
    props: FormElicitationSecretsWarningProps,
    ref: ForwardedRef<HTMLDivElement>,
  ) {
    return usePartElement(props, ref, useSecretsWarningView(useForm("SecretsWarning")));
  },
);

export function useSecretsWarningView({
  elicitation,
  catalogue,
  messageId,
  questions: { form, secretFields },
  refused,
}: FormShared): PartRender<FormElicitationSecretsWarningState> | undefined {
  const secrets = useSyncExternalStore(form.subscribe, form.secrets, form.secrets);
  if (secrets === "none" || isOver(elicitation)) return undefined;
  const names = secretFields.map((field) => field.label).join(", ");
  const missing = secrets === "missing";
  const textId = `${messageId}secrets`;
  const children = (
    <>
      <p id={textId}>{refused ? catalogue.secretsRefused : catalogue.secretsWarning(names)}</p>
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
  // `data-confirm`: where the focus goes when the yes is missing.
  return { tag: "div", state: { refused, missing }, props: { "data-confirm": "", children } };
}

export type FormElicitationSecretsWarningProps = PartProps<"div", FormElicitationSecretsWarningState>;
export interface FormElicitationSecretsWarningState {
  /** `data-refused`: forms that ask for secrets are not allowed here. */
  refused: boolean;
  /** `data-missing`: submitted without the second yes. */
  missing: boolean;
}
