/**
 * Identifies a recorded result: the path of the tool call (empty: the turn itself), the kind of operation, and its key or
 * number among those.
 */
export type RecordKey = readonly [
  path: string,
  kind: "tool" | "step" | "question" | "model" | "stop",
  key: string | number,
];

/** What is stored beside a result. */
export interface RecordDetails {
  readonly name: string;
  /** The `shape` of a step or a question: see {@link RecordedOperation}. For a model call, the digest of its options. */
  readonly shape?: string;
  /** Whether other work of its scope ran beside a model call. */
  readonly isBeside?: boolean;
  readonly hasKey?: boolean;
  /** The digest of the input of the tool call that a step or a question belongs to. */
  readonly input?: string | undefined;
  /** The call that made this call. Absent for calls of the turn itself. */
  readonly parent?: string | undefined;
}
