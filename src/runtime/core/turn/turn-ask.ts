import type { ElicitationResult, Question, SupportedModes } from "../elicitation/question.ts";

/**
 * Asking within one turn. What a tool was refused it is not asked for again, whatever the model does, and a connection
 * that two calls need at once is asked for once. Never rejects.
 */
export function createTurnAsk(options: {
  supports: SupportedModes;
  ask: (question: Question) => Promise<ElicitationResult>;
  /** A connection is missing and nobody can be asked for it. Once per connection and turn. */
  notify: (notice: { type: "data-tool-auth-required"; data: unknown }) => void;
  onError: (error: unknown) => void;
}): (question: Question) => Promise<ElicitationResult> {
  const connecting = new Map<string, Promise<ElicitationResult>>();
  const refused = new Map<string, { result: ElicitationResult; toolCallId: string | undefined }>();
  const noticed = new Set<string>();

  function tellOf({ mode, tool, toolCallId, context, message }: Question): void {
    if (mode !== "url" || tool === undefined || toolCallId === undefined) return;
    if (context?.trigger !== "credential_required" || noticed.has(tool.id)) return;
    noticed.add(tool.id);
    const type = "data-tool-auth-required";
    options.notify({ type, data: { type, toolCallId, toolName: tool.name, toolId: tool.id, message } });
  }

  async function put(question: Question): Promise<ElicitationResult> {
    try {
      return await options.ask(question);
    } catch (error) {
      options.onError(error);
      return { outcome: "failed", reason: "the request could not be made" };
    }
  }

  return async function ask(question) {
    if (!options.supports[question.mode]) {
      tellOf(question);
      const fallback = question.mode === "form" ? question.fallback : undefined;
      return fallback === undefined ? { outcome: "unsupported" } : { outcome: "accepted", content: fallback };
    }
    const { mode, tool, toolCallId } = question;
    if (tool === undefined) return put(question);

    const key = JSON.stringify([mode, tool.id]);
    const before = refused.get(key);
    // One call may ask for several things and be refused only one of them.
    if (before !== undefined && (toolCallId === undefined || before.toolCallId !== toolCallId))
      return before.result;

    const shared = mode === "url" ? connecting.get(key) : undefined;
    const answer = shared ?? put(question);
    if (mode === "url") connecting.set(key, answer);
    const result = await answer;
    if (connecting.get(key) === answer) connecting.delete(key);
    // Who asked first needs it no more, as an agent that was ended; this call may still.
    if (shared !== undefined && result.outcome === "withdrawn") return ask(question);
    if (isRefusal(result) && shared === undefined) refused.set(key, { result, toolCallId });
    return result;
  };
}

function isRefusal(result: ElicitationResult): boolean {
  return result.outcome === "declined" || result.outcome === "cancelled" || result.outcome === "expired";
}
