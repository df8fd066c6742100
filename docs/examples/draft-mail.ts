import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";

export function createDraftMail(save: (text: string) => Promise<void>): AgentTool {
  return ({ elicitor }) =>
    tool({
      description: "Saves a draft in the user's mailbox. Asks for permission by itself.",
      inputSchema: z.object({ text: z.string() }),
      async execute({ text }, { toolCallId }) {
        const message = "May I save a draft in your mailbox?";
        const may = await elicitor(toolCallId).confirm(message, { remember: true });
        if (may.outcome !== "accepted") return may.text;
        if (!may.value) return "The user does not want drafts.";
        await save(text);
        return "Saved the draft.";
      },
    });
}
