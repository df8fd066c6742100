import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import { z } from "zod";
import { scriptWords } from "./script-words.ts";

const sent = z.object({ from: z.string(), subject: z.string() });

/** A local tool that calls the API of a service with one of the user's accounts. */
export const sendMail: AgentTool = ({ account, turn }) =>
  tool({
    description: "Sends a mail from an account of the user.",
    inputSchema: z.object({
      subject: z.string().min(1).max(200),
      otherAccount: z.boolean().optional().describe("The user wants another mail account than before"),
    }),
    async execute({ subject, otherAccount }, { toolCallId }) {
      const mail = account("mail", toolCallId, { another: otherAccount });
      const answer = await mail.fetch("/send", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ subject }),
      });
      if (!answer.ok) return answer.text;
      if (!answer.value.ok) throw new Error(`Mail answered with status ${answer.value.status}.`);
      const { from, subject: title } = sent.parse(await answer.value.json());
      return scriptWords(turn.languages).mailed(title, from);
    },
  });
