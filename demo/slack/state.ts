import type { FakeEphemeral, FakeMessage, FakeView } from "elicit-kit/slack/testing";

/** What the page shows to one user. */
export interface SlackState {
  readonly me: string;
  readonly people: readonly { readonly id: string; readonly name: string }[];
  /** User id of the app. */
  readonly app: string;
  readonly messages: readonly FakeMessage[];
  /** Threads in which the agent works. */
  readonly working: readonly string[];
  readonly ephemerals: readonly FakeEphemeral[];
  readonly view: FakeView | undefined;
  readonly failures: readonly string[];
}
