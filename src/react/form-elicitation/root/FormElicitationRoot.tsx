"use client";
import { type FormEvent, type ForwardedRef, forwardRef } from "react";
import type { ElicitationStatus } from "../../../client/index.ts";
import type { BoundElicitation } from "../../bound-elicitation.ts";
import type { Catalogue } from "../../catalogues/catalogue.ts";
import { en } from "../../catalogues/en.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { PromptContext } from "../../prompt/context.ts";
import { type Controls, FormContext } from "../context.ts";
import { useFormRoot } from "../use-form-root.ts";

/**
 * Groups the parts of one form request. Escape in a control leaves the control; elsewhere inside it dismisses the request,
 * and asks first when something was typed. Renders a `<div role="group">`, in it a `<form>` around the children.
 */
export const FormElicitationRoot = forwardRef(function FormElicitationRoot(
  props: FormElicitationRootProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  // What was typed belongs to one request: the next one starts afresh.
  return <FormElicitationRootInner key={props.elicitation.id} {...props} ref={ref} />;
});

const FormElicitationRootInner = forwardRef(function FormElicitationRootInner(
  {
    elicitation,
    catalogue = en,
    secrets = "confirm",
    controls,
    children,
    ...props
  }: FormElicitationRootProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { root, context } = useFormRoot({ elicitation, catalogue, secrets, controls });
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    if (elicitation.status !== "submitting") context.submit();
  }
  const element = usePartElement("div", props, ref, {
    ref: root.rootRef,
    state: {
      status: elicitation.status,
      secrets: context.secretFields.length > 0,
      asking: root.question !== null,
    },
    props: {
      ...root.props,
      children: (
        <>
          {/* The browser's own bubbles speak other words than the catalogue, and one at a time. */}
          <form noValidate onSubmit={onSubmit}>
            {children}
          </form>
          {root.question}
          {root.region}
        </>
      ),
    },
  });
  return (
    <PromptContext.Provider value={root.context}>
      <FormContext.Provider value={context}>{element}</FormContext.Provider>
    </PromptContext.Provider>
  );
});

export type FormElicitationRootProps = PartProps<"div", FormElicitationRootState> & {
  elicitation: BoundElicitation;
  /** @default English */
  catalogue?: Catalogue | undefined;
  /**
   * Forms that ask for passwords, keys, card numbers: `confirm` wants a second, explicit yes, `refuse` shows no fields.
   * @default "confirm"
   */
  secrets?: "confirm" | "refuse" | undefined;
  /** Replaces controls by name, and adds some for hints of your own. Keep the object outside of the component. */
  controls?: Controls | undefined;
};
export interface FormElicitationRootState {
  /** `data-status` */
  status: ElicitationStatus;
  /** `data-secrets`: the form asks for secrets. */
  secrets: boolean;
  /** `data-asking`: whether to discard what was typed is being asked. */
  asking: boolean;
}
