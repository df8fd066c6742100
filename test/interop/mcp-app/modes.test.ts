/**
 * Tests for how a question reaches the user, by the client's capabilities: elicitation in its mode, else the card, else
 * a link or nothing.
 */
import type { ClientCapabilities, ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Elicitor } from "../../../src/runtime/index.ts";
import { elicitorFor } from "../../../extras/mcp-server/index.ts";
import { serveAgent } from "../mcp-server/agent.ts";
import { asks } from "../mcp-server/turns.ts";
import { type Era, type Host, type HostOptions, accept, connectHost, serveApp, textOf } from "./host.ts";

type Mode = "form" | "url";
type Ui = "no card" | "card" | "card for forms";
type Way = "client" | "card" | "unsupported" | "link" | "client, on the answer page";

interface Row {
  readonly declares: readonly Mode[] | "nothing";
  readonly ui: Ui;
  readonly form: Way;
  readonly url: Way;
}

/** Tools on a third-party server. */
const TABLE: readonly Row[] = [
  { declares: "nothing", ui: "no card", form: "unsupported", url: "unsupported" },
  { declares: ["form"], ui: "no card", form: "client", url: "unsupported" },
  { declares: ["url"], ui: "no card", form: "unsupported", url: "client" },
  { declares: ["form", "url"], ui: "no card", form: "client", url: "client" },
  { declares: "nothing", ui: "card", form: "card", url: "card" },
  { declares: ["form"], ui: "card", form: "client", url: "card" },
  { declares: ["url"], ui: "card", form: "card", url: "client" },
  { declares: ["form", "url"], ui: "card", form: "client", url: "client" },
  { declares: ["form"], ui: "card for forms", form: "client", url: "card" },
  { declares: ["form", "url"], ui: "card for forms", form: "client", url: "client" },
];
/** An agent also has an answer page. */
const AGENT_TABLE = TABLE.map((row): Row => {
  const orLink = (way: Way): Way => (way === "unsupported" ? "link" : way);
  const isOnPage = row.ui === "no card" && row.declares[0] === "url";
  return { ...row, form: isOnPage ? "client, on the answer page" : orLink(row.form), url: orLink(row.url) };
});

const ask = {
  form: (elicitor: Pick<Elicitor, "text">) => elicitor.text("Who?"),
  url: (elicitor: Pick<Elicitor, "url">) =>
    elicitor.url("Pay", { url: "https://pay.example.com/1", service: "Pay" }),
};

function capabilitiesOf({ declares, ui }: Row): ClientCapabilities {
  const card = {
    mimeTypes: ["text/html;profile=mcp-app"],
    ...(ui === "card for forms" && { elicitation: {} }),
  };
  return {
    ...(declares !== "nothing" && {
      elicitation: Object.fromEntries(declares.map((mode) => [mode, {}])),
    }),
    ...(ui !== "no card" && { extensions: { "io.modelcontextprotocol/ui": card } }),
  };
}

/** Connects a host to a server whose tool asks this question. */
type Connect = (mode: Mode, host: HostOptions) => Promise<{ host: Host; call: Parameters<Host["call"]> }>;

const tools: Connect = async (mode, options) => {
  const server = serveApp((mcp, eliciting) =>
    mcp.registerTool(
      "book",
      { inputSchema: z.object({}) },
      eliciting("book", async (_, ctx) => ({
        content: [{ type: "text", text: JSON.stringify(await ask[mode](elicitorFor(ctx))) }],
      })),
    ),
  );
  return { host: await server.host(options), call: ["book"] };
};

const agent: Connect = async (mode, options) => {
  const { surface } = await serveAgent(asks(ask[mode]), {
    surface: { app: true },
    runtime: { hostedPage: { origin: "https://auth.example.com" } },
  });
  const host = await connectHost(
    new URL("http://localhost/run/v1/mcp"),
    (request) => {
      request.headers.set("authorization", "Bearer ada");
      return surface.fetch(request);
    },
    options,
  );
  return { host, call: ["ask_agent", { message: "Book" }] };
};

/** How the question of a call reaches the user, who fills in forms and declines pages. */
async function wayOf(connect: Connect, row: Row, mode: Mode, era: Era): Promise<Way> {
  const asked: unknown[] = [];
  const elicit = (params: { mode?: string | undefined }): ElicitResult => {
    asked.push(params);
    return params.mode === "url" ? { action: "decline" } : { action: "accept", content: { answer: "Ada" } };
  };
  const client = row.declares === "nothing" ? {} : { elicit };
  const { host, call } = await connect(mode, { era, capabilities: capabilitiesOf(row), ...client });
  const called = host.call(...call);
  const hasCard = (await host.tools()).some(({ name }) => name === "elicitation_next");
  const leaving = new AbortController();
  const answered = async (): Promise<"card"> => {
    const view = host.view();
    const poll = await view.next(0, {}, { signal: leaving.signal });
    if (poll.status !== "asked") return new Promise<never>(() => {});
    const [key = ""] = Object.keys(poll.round.inputRequests);
    await view.answer(poll.round, { [key]: mode === "url" ? { action: "decline" } : accept("Ada") });
    await called;
    return "card";
  };
  const answering = hasCard
    ? answered().catch(() => new Promise<never>(() => {}))
    : new Promise<never>(() => {});
  const by = await Promise.race([answering, called.then(() => "call" as const)]);
  const text = textOf(await called);
  leaving.abort();
  const isCard = by === "card" || (asked.length === 0 && /accepted|declined/.test(text));
  if (isCard || asked.length > 0) {
    const [params] = asked;
    const shown = JSON.stringify(params ?? {});
    if (mode === "form" && shown.includes("/auth/answer")) return "client, on the answer page";
    expect(text).toContain(mode === "url" ? "declined" : "accepted");
    expect(shown.includes("resourceUri")).toBe(!isCard && mode === "form" && row.ui === "card for forms");
    return isCard ? "card" : "client";
  }
  return text.includes("https://") ? "link" : "unsupported";
}

describe.each<{ what: string; connect: Connect; table: readonly Row[] }>([
  { what: "tools of others", connect: tools, table: TABLE },
  { what: "an agent", connect: agent, table: AGENT_TABLE },
])("a question of $what", ({ connect, table }) => {
  test.each<Era>(["2025-11-25", "2026-07-28"])(
    "is shown as the table in the guide says, in MCP %s",
    async (era) => {
      const taken = await Promise.all(
        table.map(async (row) => ({
          ...row,
          form: await wayOf(connect, row, "form", era),
          url: await wayOf(connect, row, "url", era),
        })),
      );
      expect(taken).toEqual(table);
    },
  );
});
