"use client";
import { type ForwardedRef, forwardRef, useId, useSyncExternalStore } from "react";
import { type PartProps, usePartElement } from "../../part.ts";
import { usePrompt } from "../../prompt/context.ts";
import { isOver } from "../../prompt/status-text.ts";
import { useForm } from "../context.ts";

/**
 * Tells that the form asks for secrets, with the checkbox of the second, explicit yes; or that it is refused for it.
 * Renders a `<div>`, or nothing for other forms.
 */
export const FormElicitationSecretsWarning = forwardRef(function FormElicitationSecretsWarning(
  props: FormElicitationSecretsWarningProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { elicitation, messages } = usePrompt("FormElicitationParts.SecretsWarning");
  const { form, secretFields, refused } = useForm("SecretsWarning");
  const secrets = useSyncExternalStore(form.subscribe, form.secrets, form.secrets);
  const textId = useId();
  const names = secretFields.map((field) => field.label).join(", ");
  const element = usePartElement("div", props, {
    ref,
    state: { refused, missing: secrets === "missing" },
    props: {
      // Where the focus goes when the yes is missing.
      "data-confirm": "",
      children: (
        <>
          <p id={textId}>{refused ? messages.secretsRefused : messages.secretsWarning(names)}</p>
          {!refused && (
            <label>
              <input
                type="checkbox"
                checked={secrets === "confirmed"}
                aria-describedby={textId}
                aria-invalid={secrets === "missing" || undefined}
                onChange={(event) => form.confirmSecrets(event.currentTarget.checked)}
              />
              <span>{messages.secretsConfirm}</span>
            </label>
          )}
        </>
      ),
    },
  });
  return secrets === "none" || isOver(elicitation) ? null : element;
});

export type FormElicitationSecretsWarningProps = PartProps<"div", FormElicitationSecretsWarningState>;
export interface FormElicitationSecretsWarningState {
  /** `data-refused`: forms that ask for secrets are not allowed here. */
  refused: boolean;
  /** `data-missing`: submitted without the second yes. */
  missing: boolean;
}
