import type { ElicitationResponse } from "../protocol/contract.ts";
import type { A2aCarrier, A2aExtended, A2aQuestion, A2aRead, A2aTaskState } from "./translate.ts";

/** The message of a status: its payloads, and its text for people. */
export interface AgentWords extends A2aCarrier {
  readonly text: string;
}

/** An extension by which agents ask, for a client. Pure, both ways. */
export interface Dialect {
  /** In the agent card and in `A2A-Extensions`. */
  readonly uri: string;
  /** Reads the requests of a status. `undefined` if it has no payload of this extension. */
  read(state: A2aTaskState, message: AgentWords): A2aRead<readonly A2aQuestion[]> | undefined;
  /** Writes the answers to the requests of `message`. `undefined` if the extension cannot say it. */
  write(answers: readonly ElicitationResponse[], message: AgentWords): A2aExtended | undefined;
  /** The reply to what is not asked in a card. `undefined` if the status has nothing of that kind. */
  refuse?(message: AgentWords): A2aExtended | undefined;
}
