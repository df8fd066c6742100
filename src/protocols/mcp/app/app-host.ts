/** What the channel needs of the host that shows the view. */
export interface AppHost {
  /** Calls a tool of the view's own server: `tools/call`, or `callServerTool` of ext-apps. */
  callTool(params: {
    name: string;
    arguments: Record<string, unknown>;
  }): Promise<{ structuredContent?: unknown; isError?: boolean | undefined }>;
  /** Brings the result of a call that has returned already into the conversation, for the model. */
  report(result: AppResult): Promise<void>;
  /** What the host has said of the call (`hostContext.toolInfo`). */
  readonly toolInfo?:
    | { readonly id?: string | number | undefined; readonly name?: string | undefined }
    | undefined;
}

/** The result of a call that the card has continued. */
export interface AppResult {
  readonly tool: string;
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
}
