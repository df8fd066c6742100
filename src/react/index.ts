"use client";
/**
 * `elicit-kit`: cards that ask a user, and a hook to build your own. Each card by itself is in `elicit-kit/cards`, because
 * some bundlers load all that an entry names.
 */
export type { BoundElicitation, FormElicitationItem, UrlElicitation } from "./bound-elicitation.ts";
export type { ElicitationComponents } from "./card-props.ts";
export { composerOf } from "./composer.ts";
export { Elicitations, type ElicitationsProps } from "./elicitations/Elicitations.tsx";
export type { ControlProps, Controls } from "./form-elicitation/context.ts";
export {
  ElicitationProvider,
  type ElicitationProviderProps,
  type GetRegistrableDomain,
} from "./elicitation-provider.tsx";
export type { Catalogue } from "../words/cards/catalogue.ts";
export { useElicitation, type UseElicitationOptions, type UseElicitationResult } from "./use-elicitation.ts";
export {
  useElicitationList,
  type UseElicitationListOptions,
  type UseElicitationListResult,
} from "./use-elicitation-list.ts";
export { useElicitationInbox, type UseElicitationInboxResult } from "./use-elicitation-inbox.ts";
export { ElicitationAnnouncer } from "./prompt/live-region.tsx";
export { type ElicitationField, type ElicitationForm, useElicitationForm } from "./use-elicitation-form.ts";
export { useRemaining } from "./use-remaining.ts";
