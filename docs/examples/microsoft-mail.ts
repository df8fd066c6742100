import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import type { Provider } from "elicit-kit/connect";
import { z } from "zod";

// The directory (tenant) id. "common" and "organizations" do not work: see below.
const tenant = process.env["MICROSOFT_TENANT_ID"] ?? "";

/** For the hosted page and `withConnectors`. */
export const providers = {
  microsoft: {
    service: "Outlook",
    issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
    clientId: process.env["MICROSOFT_CLIENT_ID"] ?? "",
    clientSecret: process.env["MICROSOFT_CLIENT_SECRET"] ?? "",
    scopes: ["openid", "email", "offline_access", "https://graph.microsoft.com/Mail.Read"],
    scopeWords: {
      openid: "see who you are",
      email: "see who you are",
      offline_access: "do this while you are away",
      "https://graph.microsoft.com/Mail.Read": "read your mail",
    },
    accountPrompt: "select_account",
    redirectPath: "/auth/callback/microsoft",
  },
} satisfies Record<string, Provider>;

/** For `createAgentTurn`, beside `tools: { list_mail: listMail }`. */
export const accounts = { microsoft: { service: "Outlook", api: "https://graph.microsoft.com" } };

const messages = z.object({ value: z.array(z.object({ subject: z.string().nullable() })) });

export const listMail: AgentTool = ({ account }) =>
  tool({
    description: "Lists the subjects of the user's latest mails",
    inputSchema: z.object({ count: z.number().int().min(1).max(50).default(10) }),
    async execute({ count }, { toolCallId }) {
      const outlook = account("microsoft", toolCallId);
      const found = await outlook.fetch(`/v1.0/me/messages?$select=subject&$top=${count}`);
      if (!found.ok) return found.text;
      if (!found.value.ok) return `Microsoft answered with status ${found.value.status}.`;
      return messages.parse(await found.value.json()).value.map(({ subject }) => subject ?? "(no subject)");
    },
  });
