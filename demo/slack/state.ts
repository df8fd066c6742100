import type { FakeMessage, FakePerson, FakeSlack } from "elicit-kit/slack/testing";

export type JsonObject = FakeMessage["blocks"][number];

/** The state of the page for one user. */
export interface SlackState {
  readonly me: string;
  readonly people: readonly { readonly id: string; readonly name: string }[];
  /** User id of the app. */
  readonly app: string;
  readonly messages: readonly FakeMessage[];
  /** Threads in which the agent is working. */
  readonly working: readonly string[];
  readonly ephemerals: FakeSlack["ephemerals"];
  readonly view: ReturnType<FakePerson["view"]>;
  readonly failures: readonly string[];
}
