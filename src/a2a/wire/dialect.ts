import type { ElicitationResponse } from "../../contract/contract.ts";
import type { A2aCarrier, A2aExtended, A2aQuestion, A2aRead, A2aTaskState } from "./translate.ts";

/** The message of a status: its payloads, and its text for users. */
export interface AgentWords extends A2aCarrier {
  readonly text: string;
}

/** An extension that lets agents ask, for a client. Pure, in both directions. */
export interface Dialect {
  /** The URI of the extension, for the agent card and `A2A-Extensions`. */
  readonly uri: string;
  /** Reads the requests of a status. `undefined` if it has no payload of this extension. */
  read(state: A2aTaskState, message: AgentWords): A2aRead<readonly A2aQuestion[]> | undefined;
  /** Writes the answers to the requests of `message`. `undefined` if the extension cannot express them. */
  write(answers: readonly ElicitationResponse[], message: AgentWords): A2aExtended | undefined;
  /**
   * Permission for tool calls of the agent, if the extension supports it. This is not an elicitation and never shown as a
   * card.
   */
  readonly approvals?: Approvals;
}

/** How an agent asks permission for its tool calls, and how decisions are sent. */
export interface Approvals {
  /** `undefined` if the status asks for none. */
  read(state: A2aTaskState, message: AgentWords): AskedCalls | undefined;
  /** Writes the decisions, by the ids of the calls. */
  write(decisions: ReadonlyMap<string, ToolDecision>): A2aExtended;
}

export interface AskedCalls {
  /** The ids that can be answered, each once. */
  readonly ids: readonly string[];
  /** Absent if one of them cannot be read. Then all are rejected, because they belong together. */
  readonly calls?: readonly RequestedCall[] | undefined;
  readonly hint?: string | undefined;
}

/** A call of an agent's tool, as the agent describes it. */
export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The decision whether an agent's tool may run. */
export interface ToolDecision {
  readonly approved: boolean;
  /** The reason for a rejection, for the agent: at most 500 characters. */
  readonly reason?: string | undefined;
}
