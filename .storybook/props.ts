import type { StrictArgTypes } from "storybook/internal/types";

/** The data that react-docgen finds in the source of a component and attaches to the component. */
export interface Docgen {
  description?: string;
  props?: Readonly<Record<string, DocgenProp>>;
}

interface DocgenProp {
  required?: boolean;
  description?: string;
  /** `raw` is the type as the source file has it. */
  tsType?: { name: string; raw?: string };
}

/** The property name for the data of react-docgen. */
const DOCGEN = "__docgenInfo";

function docgenOf(component: unknown): Docgen {
  const isComponent =
    (typeof component === "object" && component !== null) || typeof component === "function";
  return (isComponent && DOCGEN in component && component[DOCGEN]) || {};
}

/** Creates the rows of a props table. Storybook's own extraction shows "union" for every type that allows `undefined`. */
export function extractArgTypes(component: unknown): StrictArgTypes {
  const rows = Object.entries(docgenOf(component).props ?? {}).map(([name, prop]) => {
    const [description, initial] = (prop.description ?? "").split("@default ");
    return [
      name,
      {
        name,
        description: description?.trim() ?? "",
        type: { name: "other", value: "", required: prop.required === true },
        table: {
          type: { summary: typeText(prop) },
          ...(initial !== undefined && { defaultValue: { summary: initial.trim() } }),
        },
      },
    ] as const;
  });
  return Object.fromEntries(rows);
}

function typeText({ tsType }: DocgenProp): string {
  return (tsType?.raw ?? tsType?.name ?? "").replace(/ \| undefined$/, "");
}
