/** Identifies what is recorded: the tool call that did it (empty: the turn), its kind, and its key or number among those. */
export type RecordKey = readonly [
  path: string,
  kind: "tool" | "step" | "question" | "model" | "stop",
  key: string | number,
];

/** What is recorded besides a result. */
export interface RecordDetails {
  readonly name: string;
  /** Of a step or a question: see {@link RecordedOperation}. */
  readonly shape?: string;
  readonly hasKey?: boolean;
  /** Of a step or a question: the digest of what its call of a tool got. */
  readonly input?: string | undefined;
  /** The call that made this call. Absent for calls of the turn itself. */
  readonly parent?: string | undefined;
}
