import type { ElicitationContent, RequestedSchema } from "../../contract/contract.ts";
import { choiceOrWords } from "../../form/own-words.ts";
import type { AskOptions, Decided, Elicited } from "./asked.ts";

/**
 * One of the options of a choice. `description` is an additional text. `preview` is plain text of up to 2,000 characters,
 * shown in a monospaced font beside the options while this one is in focus or chosen. `recommended` marks it with a star
 * and a word: your own, such as "usual", or with `true` the default word. The option is never preselected.
 */
export type ChoiceOption<Value extends string> =
  | Value
  | {
      value: Value;
      label: string;
      description?: string | undefined;
      preview?: string | undefined;
      recommended?: boolean | string | undefined;
    };

/** The result of a choice that allows free text: an option (`value`), or the user's own text (`other`). */
export type ElicitedChoice<Value> =
  | ({ readonly outcome: "accepted"; readonly value: Value; readonly other?: undefined } & Decided)
  | {
      readonly outcome: "accepted";
      readonly other: string;
      readonly value?: undefined;
      readonly by?: string | undefined;
    }
  | Exclude<Elicited<Value>, { outcome: "accepted" }>;

/**
 * Asks for one of a few options. With `other: true` the user may answer with free text instead. With `send: "on-press"`,
 * pressing one of up to six options is the answer, without a second press on Send, where the chat can show that.
 */
export interface Choose {
  <const Value extends string>(
    message: string,
    options: readonly ChoiceOption<Value>[],
    ask: AskOptions<Value> & { other: true },
  ): Promise<ElicitedChoice<Value>>;
  <const Value extends string>(
    message: string,
    options: readonly ChoiceOption<Value>[],
    ask?: AskOptions<Value> & { other?: false | undefined; send?: "on-press" | undefined },
  ): Promise<Elicited<Value>>;
}

/** The length limit of free text, in characters. */
const LONGEST_WORDS = 500;

export function choiceOf<Value extends string>(options: readonly ChoiceOption<Value>[]) {
  const listed = options.map((option) =>
    typeof option === "string"
      ? { value: option, label: option, description: undefined, preview: undefined, recommended: undefined }
      : option,
  );
  const oneOf = listed.map(({ value, label, description, preview }) => ({
    const: value,
    title: label,
    ...(description !== undefined && { description }),
    ...(preview !== undefined && { preview }),
  }));
  const best = listed.find((option) => option.recommended);
  const word = best?.recommended;
  return {
    property: { type: "string", oneOf },
    /** Belongs into the hints of the field, because most clients do not support it in the schema. */
    recommended: best && { value: best.value, ...(typeof word === "string" && { word }) },
    isOption: (value: unknown): value is Value => listed.some((option) => option.value === value),
  };
}

/** Adds the field for free text. A client that does not know the pair shows two optional fields. */
export function withOwnWords({ properties, type }: RequestedSchema, choice: string): RequestedSchema {
  const words = wordsName(choice);
  const property = { type: "string", title: "Or in your own words", maxLength: LONGEST_WORDS };
  return { type, properties: { ...properties, [words]: property }, anyOf: choiceOrWords(choice, words) };
}

/** A text takes precedence over an option, as in `validate`. `undefined`: the answer has neither. */
export function readChoice<Value extends string>(
  content: ElicitationContent,
  choice: string,
  isOption: (value: unknown) => value is Value,
): Extract<ElicitedChoice<Value>, { outcome: "accepted" }> | undefined {
  const { [choice]: value, [wordsName(choice)]: words } = content;
  const other = typeof words === "string" ? words.trim() : "";
  if (other !== "") return { outcome: "accepted", other };
  return isOption(value) ? { outcome: "accepted", value } : undefined;
}

const wordsName = (choice: string): string => `${choice}_other`;
