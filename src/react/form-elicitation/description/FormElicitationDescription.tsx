"use client";
import type { Part } from "../../create-part.ts";
import { directionOf } from "../../isolate.ts";
import type { PartProps } from "../../part.ts";
import { fieldPart } from "../context.ts";

/** What helps to answer: the description, and the limits of numbers and choices. Renders a `<p>`, or nothing. */
export const FormElicitationDescription: Part<"p", FormElicitationDescriptionState> = fieldPart(
  "FormElicitationParts.Description",
  "p",
  ({ description, id, root: { catalogue } }) =>
    description === ""
      ? undefined
      : {
          state: {},
          props: {
            id: `${id}description`,
            dir: directionOf(description, catalogue.dir),
            children: description,
          },
        },
);

export type FormElicitationDescriptionProps = PartProps<"p", FormElicitationDescriptionState>;
export type FormElicitationDescriptionState = object;
