"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { Catalogue } from "../../../words/cards/catalogue.ts";
import { en } from "../../../words/cards/en.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { PromptContext } from "../../prompt/context.ts";
import { FormContext } from "../context.ts";
import { type FormElicitationRootState, type FormRootOptions, useFormRoot } from "../use-form-root.tsx";

/**
 * Groups the parts of one form request. Escape in a control leaves the control; elsewhere inside of it Escape dismisses the
 * request, and asks first when something was typed. Renders a `<div role="group">` with a `<form>` around the children.
 */
export const FormElicitationRoot = /* @__PURE__ */ forwardRef(function FormElicitationRoot(
  props: FormElicitationRootProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  // By key: what was typed belongs to one request, and the next one starts empty.
  return <FormElicitationRootInner key={props.elicitation.id} {...props} ref={ref} />;
});

const FormElicitationRootInner = /* @__PURE__ */ forwardRef(function FormElicitationRootInner(
  { elicitation, catalogue = en, secrets, controls, children, ...props }: FormElicitationRootProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { shared, view, inForm, question } = useFormRoot({ elicitation, catalogue, secrets, controls });
  const content = inForm(
    <>
      {children}
      {question}
    </>,
  );
  const element = usePartElement({ ...props, children: content }, ref, view);
  return (
    <PromptContext.Provider value={shared}>
      <FormContext.Provider value={shared}>{element}</FormContext.Provider>
    </PromptContext.Provider>
  );
});

export type FormElicitationRootProps = PartProps<"div", FormElicitationRootState> &
  FormRootOptions & {
    /** The kit's words in one language. @default English */
    catalogue?: Catalogue | undefined;
  };
