import type { ComponentType } from "react";
import type { Catalogue } from "../words/cards/catalogue.ts";
import type { BoundElicitation } from "./bound-elicitation.ts";
import type { Controls } from "./form-elicitation/context.ts";

/** What every card takes. The prop of a card overrides what `ElicitationProvider` sets. */
export interface CardSettings {
  /** The kit's words in one language. @default that of `ElicitationProvider`, or English */
  catalogue?: Catalogue | undefined;
  /**
   * For forms that ask for passwords, keys or card numbers: `confirm` needs a second, explicit yes; `refuse` shows no fields.
   * @default that of `ElicitationProvider`, or "confirm"
   */
  secrets?: "confirm" | "refuse" | undefined;
  /** Your own cards and controls in place of the kit's. Keep the object outside of the component that passes it. */
  components?: ElicitationComponents | undefined;
  /**
   * With it, the receipt of an account that the user has declined to connect has a button "Connect after all". The tool has its
   * answer by then, so only the agent can ask anew: send it `message` as a message of the user. Keep the function the same.
   */
  onAskAgain?: ((message: string, elicitation: BoundElicitation) => void) | undefined;
}

/** Replacements for the kit's own components. Keep the object outside of the component that passes it. */
export interface ElicitationComponents {
  /** Controls of forms, by the name of a built-in one or by a hint of your own: `{ rating: Stars }`. */
  control?: Controls | undefined;
  /** Cards for your own requests, by `context.trigger`. Blocked requests are never passed to them. */
  context?: Readonly<Record<string, ComponentType<ElicitationPromptProps>>> | undefined;
  ConnectPrompt?: ComponentType<ConnectPromptProps> | undefined;
  FormElicitation?: ComponentType<FormElicitationProps> | undefined;
}

export interface ElicitationPromptProps extends CardSettings {
  /** One of `elicitations` of `useElicitationList`. */
  elicitation: BoundElicitation;
}

export interface ConnectPromptProps {
  /** One of `elicitations` of `useElicitationList`, in mode `url`. */
  elicitation: BoundElicitation;
  /** The kit's words in one language. @default that of `ElicitationProvider`, or English */
  catalogue?: Catalogue | undefined;
  /** With it, a declined account has a button "Connect after all": see `ElicitationsProps`. @default that of `ElicitationProvider` */
  onAskAgain?: CardSettings["onAskAgain"];
}

export interface FormElicitationProps {
  /** One of `elicitations` of `useElicitationList`, in mode `form`. */
  elicitation: BoundElicitation;
  /** The kit's words in one language. @default that of `ElicitationProvider`, or English */
  catalogue?: Catalogue | undefined;
  /** What a form that asks for secrets does: see `FormElicitationParts.Root`. @default that of `ElicitationProvider`, or "confirm" */
  secrets?: "confirm" | "refuse" | undefined;
  /** `control`: replaces controls by name, and adds controls for hints of your own. */
  components?: { control?: Controls | undefined } | undefined;
}
