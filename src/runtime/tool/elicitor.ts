import { ElicitorError } from "../../contract/kit-error.ts";
import * as z from "zod/v4/core";
import { type Field, findSecretFields, parseRequestedSchema } from "../../form/index.ts";
import type { ElicitationContent, RequestedSchema } from "../../contract/contract.ts";
import { capitalised, spaced } from "./review-rows.ts";
import { type Reviewed, readReview, reviewForm } from "./review.ts";
import { askedText, informationRefusedText, notApprovedText, pageRefusedText } from "./texts.ts";
import { ensureFits } from "../ask/new-request.ts";
import type { FormQuestion } from "../ask/question.ts";
import type { AskOptions, Decided, Elicited, Refusal } from "./asked.ts";
import { type ChoiceOption, type ElicitedChoice, choiceOf, readChoice, withOwnWords } from "./choice.ts";
import type { Elicitor, ElicitorOptions } from "./elicitor-interface.ts";
import { asJsonSchema, controlsOf, parseAnswer, toRequestedSchema } from "../../form/zod-form.ts";

/** Creates an `Elicitor` for one call of a tool. Create a new one for each call, with its `toolCallId`. */
export function createElicitor({ turn, toolCallId, requester, tool: asker }: ElicitorOptions): Elicitor {
  const tool = typeof asker === "string" ? { id: asker, name: asker } : asker;
  const common = { tool, toolCallId, requester };

  async function askForm(
    message: string,
    requestedSchema: RequestedSchema,
    {
      fallback,
      delegate,
      expiresInMs,
      key,
      signal,
      layout,
      send,
      hints = {},
      wanted = requestedSchema,
      ...more
    }: FormAsk,
  ): Promise<Elicited<ElicitationContent>> {
    if (fallback !== undefined) ensureFits(requestedSchema, fallback);
    const looks = {
      ...(Object.keys(hints).length > 0 && { fields: hints }),
      ...(layout !== undefined && { layout }),
      ...(send !== undefined && { send }),
    };
    const result = await turn.ask({
      ...common,
      mode: "form",
      message,
      requestedSchema,
      fallback,
      delegate,
      expiresInMs,
      key,
      signal,
      ...more,
      context: { trigger: "tool", toolName: tool.name, ...looks },
    });
    if (result.outcome === "accepted") return { outcome: "accepted", value: result.content, ...byOf(result) };
    return withText(result, wanted);
  }

  /** Asks with a form of one field, and reads the answer from its content. */
  async function askAnswer<T extends object>(
    message: string,
    property: Readonly<Record<string, unknown>>,
    read: (content: ElicitationContent) => T | undefined,
    { fallback, title, description, hint, more = (form) => form, ...ask }: AnswerAsk,
  ): Promise<T | (Refusal & { text: string })> {
    const named = { title: title ?? "Your answer", ...(description !== undefined && { description }) };
    const schema = more(oneField({ ...named, ...property }));
    // Without a title, the message is used as the field's name, both for the model and for the check for secrets.
    const wanted = oneField({ ...property, title: title ?? message });
    refuseSecrets(wanted, message);
    const given = isContentValue(fallback) ? { [NAME]: fallback } : undefined;
    const asked = await askForm(message, schema, {
      ...ask,
      fallback: given,
      wanted,
      ...(hint !== undefined && { hints: { [NAME]: hint } }),
    });
    if (asked.outcome !== "accepted") return asked;
    const answer = read(asked.value);
    if (answer === undefined) return failed("the answer is of another type", wanted);
    return { ...answer, ...byOf(asked) };
  }

  function askOne<T>(
    message: string,
    property: Readonly<Record<string, unknown>>,
    isAnswer: (value: unknown) => value is T,
    ask: AnswerAsk,
  ): Promise<Elicited<T>> {
    const read = ({ [NAME]: value }: ElicitationContent) =>
      isAnswer(value) ? ({ outcome: "accepted", value } as const) : undefined;
    return askAnswer(message, property, read, ask);
  }

  function withText<R extends Refusal>(refusal: R, requestedSchema: RequestedSchema): R & { text: string } {
    return { ...refusal, text: informationRefusedText(refusal, { tool: tool.name, requestedSchema }) };
  }

  const failed = (reason: string, schema: RequestedSchema) =>
    withText({ outcome: "failed", reason } as const, schema);

  function choose<const Value extends string>(
    message: string,
    options: readonly ChoiceOption<Value>[],
    ask: AskOptions<Value> & { other: true },
  ): Promise<ElicitedChoice<Value>>;
  function choose<const Value extends string>(
    message: string,
    options: readonly ChoiceOption<Value>[],
    ask?: AskOptions<Value> & { other?: false | undefined; send?: "on-press" | undefined },
  ): Promise<Elicited<Value>>;
  function choose<const Value extends string>(
    message: string,
    options: readonly ChoiceOption<Value>[],
    {
      other = false,
      ...ask
    }: AskOptions<Value> & { other?: boolean | undefined; send?: "on-press" | undefined } = {},
  ): Promise<ElicitedChoice<Value>> {
    const { property, isOption, recommended } = choiceOf(options);
    const hint = recommended && { recommended };
    if (!other) return askOne(message, property, isOption, { ...ask, hint });
    const read = (content: ElicitationContent) => readChoice(content, NAME, isOption);
    return askAnswer<ElicitedChoice<Value>>(message, property, read, { ...ask, hint, more: withWords });
  }

  return {
    choose,
    text(message, { minLength, maxLength, format, placeholder, ...ask } = {}) {
      const examples = placeholder === undefined ? undefined : [placeholder];
      return askOne(message, { type: "string", minLength, maxLength, format, examples }, isString, ask);
    },
    async confirm(message, ask = {}) {
      const asked = await askOne(message, { type: "boolean" }, isBoolean, ask);
      if (asked.outcome !== "declined") return asked;
      const { note } = asked;
      return { outcome: "accepted", value: false, ...(note !== undefined && { note }) };
    },
    number(message, { minimum, maximum, integer = false, ...ask } = {}) {
      const type = integer ? "integer" : "number";
      return askOne(message, { type, minimum, maximum }, isNumber, ask);
    },
    rating(message, { max = 5, ...ask } = {}) {
      const property = { type: "integer", minimum: 1, maximum: max };
      return askOne(message, property, isNumber, { ...ask, hint: { control: "rating" } });
    },
    async form(message, schema, ask = {}) {
      const requestedSchema = toRequestedSchema(schema);
      refuseSecrets(requestedSchema, message);
      const { fallback } = ask;
      if (fallback !== undefined && !(await parseAnswer(schema, fallback)).success) {
        throw new ElicitorError("elicit-kit: The fallback does not pass the checks of its own schema.");
      }
      const asked = await askForm(message, requestedSchema, {
        ...ask,
        hints: hintsOf(schema),
        isStillGood: async (content) => (await parseAnswer(schema, content)).success,
      });
      if (asked.outcome !== "accepted") return asked;
      const checked = await parseAnswer(schema, asked.value);
      if (checked.success) return { outcome: "accepted", value: checked.data, ...byOf(asked) };
      const [issue] = checked.error.issues;
      const reason = [...(issue?.path ?? []), issue?.message ?? "it does not fit"].join(": ");
      return failed(reason, requestedSchema);
    },
    async review<Value extends object>(
      subject: string,
      draft: Value,
      schema: z.$ZodType<unknown, Value> | Readonly<Record<string, unknown>>,
      { edit, remember = false, ...ask }: Parameters<Elicitor["review"]>[3] = {},
    ): Promise<Reviewed<Value>> {
      const isZod = schema instanceof z.$ZodType;
      const title = subject.trim() === "" ? capitalised(spaced(tool.name)) : subject;
      const json = { ...(isZod ? asJsonSchema(schema) : schema) };
      const { digest, context, ...form } = await reviewForm(title, draft, { schema: json, edit });
      const result = await turn.ask({
        ...common,
        ...ask,
        mode: "form",
        // A no to one draft is no answer for another one.
        tool: { id: `${tool.id}/${digest}`, name: tool.name },
        ...form,
        ...(remember && { remember: { scope: "conversation" } }),
        context: { trigger: "tool", toolName: tool.name, ...context },
      });
      const refused = <R extends Refusal>(refusal: R) => ({
        ...refusal,
        text: notApprovedText(refusal, title),
      });
      if (result.outcome !== "accepted") return refused(result);
      const { value, changed } = readReview(draft, form.requestedSchema, result.content);
      const checked = isZod ? await z.safeParseAsync(schema, value) : undefined;
      if (checked?.success === false) {
        const [issue] = checked.error.issues;
        const reason = [...(issue?.path ?? []), issue?.message ?? "it does not fit"].join(": ");
        return refused({ outcome: "failed", reason });
      }
      return { outcome: "accepted", value, changed, ...byOf(result) };
    },
    async url(message, { url, acceptMeans, service, purpose = "open", ...ask }) {
      const context = { trigger: "tool", toolName: tool.name };
      const asked = { ...ask, url, acceptMeans, service: { name: service }, purpose, context };
      const result = await turn.ask({ ...common, ...asked, mode: "url", message });
      if (result.outcome === "accepted") return { outcome: "accepted", value: undefined };
      return { ...result, text: pageRefusedText(result, { tool: tool.name, service, purpose }) };
    },
    later(work) {
      const { background } = turn;
      if (background === undefined || toolCallId === undefined) {
        throw new ElicitorError(
          "elicit-kit: later() works only in `runTurn`, with the turn and the id of the tool call: createElicitor({ turn, tool, toolCallId }). Where you write the stream yourself, ask without later(), or move the body of the route into `runTurn` of createRuntime.",
        );
      }
      background.run({ toolCallId, tool: tool.name }, work);
      return askedText;
    },
  };
}

/** The name of the only field in a form with one field. */
const NAME = "answer";

const byOf = ({ by, delegated }: Decided): Decided => ({
  ...(by !== undefined && { by }),
  ...(delegated && { delegated }),
});

const withWords = (form: RequestedSchema) => withOwnWords(form, NAME);

type AnswerAsk = AskOptions<unknown> & {
  send?: "on-press" | undefined;
  /** A hint about how to show the field. */
  hint?: FieldHint | undefined;
  /** Additional keywords for the form with one field. */
  more?: (form: RequestedSchema) => RequestedSchema;
};

/** The value in the `context` of a request. */
interface FieldHint {
  control?: string | undefined;
  recommended?: { value: string; word?: string | undefined } | undefined;
}

const hintsOf = (schema: z.$ZodType) =>
  Object.fromEntries(Object.entries(controlsOf(schema) ?? {}).map(([name, control]) => [name, { control }]));

type FormAsk = Pick<
  FormQuestion,
  "fallback" | "delegate" | "expiresInMs" | "key" | "signal" | "assignee" | "remember" | "isStillGood"
> & {
  /** Hints how fields are shown, by name. */
  hints?: Readonly<Record<string, FieldHint>> | undefined;
  layout?: "steps" | "form" | undefined;
  send?: "on-press" | undefined;
  /** The form that the text for the model describes. @default the form itself */
  wanted?: RequestedSchema | undefined;
};

function oneField(property: Readonly<Record<string, unknown>>): RequestedSchema {
  const given = Object.entries(property).filter(([, value]) => value !== undefined);
  return { type: "object", properties: { [NAME]: Object.fromEntries(given) }, required: [NAME] };
}

function fieldsOf(schema: RequestedSchema): readonly Field[] {
  const parsed = parseRequestedSchema(schema);
  if (parsed.ok) return parsed.fields;
  const reasons = parsed.reasons.map(({ message }) => message).join("; ");
  throw new ElicitorError(`elicit-kit: This question cannot be asked: ${reasons}.`);
}

function refuseSecrets(schema: RequestedSchema, message: string): void {
  const [secret] = findSecretFields(fieldsOf(schema), message);
  if (secret === undefined) return;
  throw new ElicitorError(
    `elicit-kit: "${secret.label}" asks for a secret, which must not go through a chat. Ask for it on a web page: url().`,
  );
}

const isString = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number";
const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isContentValue = (value: unknown): value is string | number | boolean =>
  isString(value) || isNumber(value) || isBoolean(value);
