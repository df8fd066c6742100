/** The functions that the channel needs from the host of the view. */
export interface AppHost {
  /** Calls a tool of the view's own server: `tools/call`, or `callServerTool` of ext-apps. */
  callTool(params: {
    name: string;
    arguments: Record<string, unknown>;
  }): Promise<{ structuredContent?: unknown; isError?: boolean | undefined }>;
  /**
   * Adds the result of a call that has already returned to the conversation, for the model. Rejects if the host has not
   * accepted it: the model then gets the result from `elicitation_result`.
   */
  report(result: AppResult): Promise<void>;
  /** The host's information on the call (`hostContext.toolInfo`). */
  readonly toolInfo?:
    | { readonly id?: string | number | undefined; readonly name?: string | undefined }
    | undefined;
}

/** The result of a call that the card continued. */
export interface AppResult {
  readonly tool: string;
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
}
