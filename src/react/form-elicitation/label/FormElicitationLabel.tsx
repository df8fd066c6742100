"use client";
import type { Part } from "../../create-part.ts";
import { directionOf } from "../../isolate.ts";
import type { PartProps } from "../../part.ts";
import { fieldPart } from "../context.ts";

/** Controls of several elements: a `<label>` can point to one only. */
const GROUPS: ReadonlySet<string> = new Set(["yes-no", "radio", "search", "rating", "checkboxes"]);

/** The question, marked when it need not be answered. Renders a `<label>`; a `<span>` for groups of controls. */
export const FormElicitationLabel: Part<"label", FormElicitationLabelState> = fieldPart(
  "FormElicitationParts.Label",
  "label",
  ({ field: { label, required }, control, id, root: { catalogue } }) => {
    const group = GROUPS.has(control);
    // One text node each: a long form has many labels, and each node takes time to make and to lay out.
    const children = required ? (
      label
    ) : (
      <>
        {`${label} `}
        <small>{`(${catalogue.optional})`}</small>
      </>
    );
    return {
      tag: group ? "span" : "label",
      state: { required },
      props: {
        id: `${id}label`,
        htmlFor: group ? undefined : `${id}control`,
        dir: directionOf(label, catalogue.dir),
        children,
      },
    };
  },
);

export type FormElicitationLabelProps = PartProps<"label", FormElicitationLabelState>;
export interface FormElicitationLabelState {
  /** `data-required` */
  required: boolean;
}
