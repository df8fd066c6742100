import type * as z from "zod/v4/core";
import type { ElicitationContent, ElicitationRequest } from "../../contract/contract.ts";
import type { UrlQuestion } from "../ask/question.ts";
import type { ToolRef } from "../ports/index.ts";
import type { Turn } from "../turn/turn.ts";
import type { AskOptions, Elicited, Fallback, OwnOptions } from "./asked.ts";
import type { Choose } from "./choice.ts";
import type { Reviewed } from "./review.ts";

/** The result of asking for yes or no. */
export type Confirmed =
  | Exclude<Elicited<boolean>, { outcome: "declined" }>
  | { readonly outcome: "accepted"; readonly value: false; readonly note: string };

/**
 * Asks the user from inside a tool and waits. Rejects only with {@link ElicitorError}, for mistakes of the tool's author:
 * a schema that a form cannot show, a question for a secret (only a web page may ask for secrets, see {@link
 * Elicitor.url}), or questions that need a `key`.
 */
export interface Elicitor {
  /** Asks for one of a few options or, with `other: true`, for free text instead. */
  choose: Choose;
  text(
    message: string,
    ask?: AskOptions<string> & {
      minLength?: number | undefined;
      maxLength?: number | undefined;
      format?: "email" | "uri" | "date" | "date-time" | undefined;
      placeholder?: string | undefined;
    },
  ): Promise<Elicited<string>>;
  /** Asks yes or no. Declining counts as no, with a `note` if the user said what they want instead. */
  confirm(message: string, ask?: AskOptions<boolean>): Promise<Confirmed>;
  number(
    message: string,
    ask?: AskOptions<number> & {
      minimum?: number | undefined;
      maximum?: number | undefined;
      /** @default false */
      integer?: boolean | undefined;
    },
  ): Promise<Elicited<number>>;
  /** Asks for a whole number from 1 to `max`, shown as stars if the chat supports them. @default max 5 */
  rating(message: string, ask?: AskOptions<number> & { max?: number | undefined }): Promise<Elicited<number>>;
  /**
   * Asks for several values in one form. `.meta({ title, description, examples, control })` of a field sets how it is
   * shown. `control` is one of the kit's hints, such as `"slider"`. Checks that a form cannot do (`refine`) run on the
   * answer. If one fails, the outcome is `failed` and the user is not asked again. `layout` sets whether the questions
   * appear one at a time. By default, forms with 4 to 12 questions do that.
   */
  form<Schema extends z.$ZodType>(
    message: string,
    schema: Schema,
    ask?: Omit<OwnOptions, "title" | "description"> &
      Fallback<z.input<Schema> & ElicitationContent> & { layout?: "steps" | "form" | undefined },
  ): Promise<Elicited<z.output<Schema>>>;
  /**
   * Lets the user approve a draft before it is used: a mail, an order, the arguments of a tool. Values in `edit` are
   * fields, and the others are rows to read, as is a value that its field refuses; secrets show nothing of themselves.
   * `value` is what was approved, and `changed` names what the user has changed. `schema` is a zod object or a JSON
   * Schema. `remember` lets the user allow this tool for the rest of the conversation. An empty `subject` stands for the
   * name of the tool.
   */
  review<Value extends object>(
    subject: string,
    draft: Value,
    schema: z.$ZodType<unknown, Value> | Readonly<Record<string, unknown>>,
    ask?: Pick<AskOptions<never>, "expiresInMs" | "key" | "signal" | "assignee"> & {
      /** @default all values that a form can show */
      edit?: readonly (keyof Value & string)[] | undefined;
      /** @default false */
      remember?: boolean | undefined;
    },
  ): Promise<Reviewed<Value>>;
  /**
   * Asks the user to do something on a web page: connect an account, pay, sign, enter a secret. `service` is its name for
   * users. `purpose` decides the texts of the card and for the model.
   */
  url(
    message: string,
    ask: Pick<UrlQuestion, "url" | "acceptMeans"> &
      Pick<AskOptions<never>, "expiresInMs" | "key" | "signal"> & {
        service: string;
        /** @default "open" */
        purpose?: UrlQuestion["purpose"];
      },
  ): Promise<Elicited<undefined>>;
  /**
   * Asks in the background: the agent continues while the question is open. Return the text that it returns from the tool.
   * It tells the model that the user was asked. `work` asks, and does what follows from the answer. What it returns is the
   * result of the call, and the model gets it in the same turn, as soon as it has nothing else to do.
   */
  later(work: () => Promise<unknown>): string;
}

/** The turn and the tool that an `Elicitor` asks for. */
export interface ElicitorOptions {
  /** Without its `background`, the elicitor cannot ask later. */
  turn: Pick<Turn, "ask"> & Partial<Pick<Turn, "background">>;
  /** The name of the tool, or its id and name if they differ. */
  tool: ToolRef | string;
  /** Links the card to its tool part. Create one elicitor per tool call. */
  toolCallId?: string | undefined;
  requester?: ElicitationRequest["requester"];
}
