import type { ComponentType } from "react";
import type { Catalogue } from "../words/cards/catalogue.ts";
import type { BoundElicitation } from "./bound-elicitation.ts";
import type { Controls } from "./form-elicitation/context.ts";

/** Props of every card. They override the settings of `ElicitationProvider`. */
export interface CardSettings {
  /** The texts of the kit in one language. @default that of `ElicitationProvider`, or English */
  catalogue?: Catalogue | undefined;
  /**
   * For forms that ask for passwords, keys or card numbers: `confirm` needs a second, explicit yes; `refuse` shows no fields.
   * @default that of `ElicitationProvider`, or "confirm"
   */
  secrets?: "confirm" | "refuse" | undefined;
  /** Your own cards and controls instead of the kit's. Define the object outside of the component that passes it. */
  components?: ElicitationComponents | undefined;
  /**
   * Sends `message` to the agent as a message of the user. If set, the receipt of a request that was declined, was
   * dismissed or has expired shows a button "Ask again", because the tool already has its answer and only the agent can
   * ask again: when it asks the same question, the form has its earlier input, except secrets. And a card at the composer
   * offers to send a sentence that does not fit its form. Pass a stable function.
   */
  onAskAgain?: ((message: string, elicitation: BoundElicitation) => void) | undefined;
}

/** Replacements for the kit's own components. Define the object outside of the component that passes it. */
export interface ElicitationComponents {
  /** Controls of forms, by the name of a built-in one or by your own hint: `{ rating: Stars }`. */
  control?: Controls | undefined;
  /** Cards for your own requests, by `context.trigger`. Blocked requests are never passed to them. */
  context?: Readonly<Record<string, ComponentType<ElicitationPromptProps>>> | undefined;
  ConnectPrompt?: ComponentType<ConnectPromptProps> | undefined;
  FormElicitation?: ComponentType<FormElicitationProps> | undefined;
  /** The card of a form that waits for another user. @default the kit's card, even if `FormElicitation` is your own */
  AssignedElicitation?: ComponentType<FormElicitationProps> | undefined;
}

export interface ElicitationPromptProps extends CardSettings {
  /** One of `elicitations` of `useElicitationList`. */
  elicitation: BoundElicitation;
}

export interface ConnectPromptProps extends Pick<CardSettings, "catalogue" | "onAskAgain"> {
  /** One of `elicitations` of `useElicitationList`, in mode `url`. */
  elicitation: BoundElicitation;
}

export interface FormElicitationProps extends Pick<CardSettings, "catalogue" | "secrets" | "onAskAgain"> {
  /** One of `elicitations` of `useElicitationList`, in mode `form`. */
  elicitation: BoundElicitation;
  /** `control` replaces controls by name, and adds controls for your own hints. */
  components?: { control?: Controls | undefined } | undefined;
}
