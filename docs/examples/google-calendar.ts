import { tool } from "ai";
import type { AgentTool } from "elicit-kit/agent";
import type { Provider } from "elicit-kit/connect";
import { z } from "zod";

const scope = "https://www.googleapis.com/auth/calendar.events.readonly";

/** For the hosted page and `withConnectors`. */
export const providers = {
  google: {
    service: "Google Calendar",
    issuer: "https://accounts.google.com",
    clientId: process.env["GOOGLE_CLIENT_ID"] ?? "",
    clientSecret: process.env["GOOGLE_CLIENT_SECRET"] ?? "",
    scopes: ["openid", "email", scope],
    scopeWords: { openid: "see who you are", email: "see who you are", [scope]: "read your events" },
    // Without these two, Google returns no refresh token, and the user is asked again after an hour.
    authorizationParams: { access_type: "offline", prompt: "consent" },
    accountPrompt: "select_account",
    redirectPath: "/auth/callback/google",
  },
} satisfies Record<string, Provider>;

/** For `createAgentTurn`, beside `tools: { list_events: listEvents }`. */
export const accounts = { google: { service: "Google Calendar", api: "https://www.googleapis.com" } };

const events = z.object({ items: z.array(z.object({ summary: z.string().default("Busy") })) });

export const listEvents: AgentTool = ({ account }) =>
  tool({
    description: "Lists the next events in the user's calendar",
    inputSchema: z.object({ count: z.number().int().min(1).max(50).default(10) }),
    async execute({ count }, { toolCallId }) {
      const query = new URLSearchParams({
        maxResults: String(count),
        orderBy: "startTime",
        singleEvents: "true",
        timeMin: new Date().toISOString(),
      });
      const google = account("google", toolCallId);
      const found = await google.fetch(`/calendar/v3/calendars/primary/events?${query}`);
      if (!found.ok) return found.text;
      if (!found.value.ok) return `Google answered with status ${found.value.status}.`;
      return events.parse(await found.value.json()).items.map(({ summary }) => summary);
    },
  });
