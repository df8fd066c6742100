import { type ClientContext, client } from "@agentclientprotocol/sdk";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { Elicitations } from "elicit-kit";
import { type AcpChannel, createAcpChannel } from "elicit-kit/acp";
import { type ElicitationClient, createElicitationClient } from "elicit-kit/client";
import { type FormEvent, useState } from "react";

interface Session {
  agent: ClientContext;
  channel: AcpChannel;
  elicitations: ElicitationClient;
  sessionId: string;
}

/** Connects to an ACP agent and opens a session. `onText` receives the agent's text, piece by piece. */
async function connect(url: string, onText: (text: string) => void, onClose: () => void): Promise<Session> {
  const app = client({ name: "acp-web-client" }).onNotification("session/update", ({ params }) => {
    const { update } = params;
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      onText(update.content.text);
    }
  });
  const channel = createAcpChannel({ app, agentName: "Travel agent" });
  const elicitations = createElicitationClient({ channel });
  const { agent, closed } = app.connect(createWebSocketStream(url));
  void closed.then(onClose);
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: { ...channel.capabilities } });
  const { sessionId } = await agent.request("session/new", { cwd: "/", mcpServers: [] });
  return { agent, channel, elicitations, sessionId };
}

/** A chat with an ACP agent. The agent's questions appear as cards. */
export function AcpWebClient({ url }: { url: string }) {
  const [session, setSession] = useState<Session>();
  const [said, setSaid] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const add = (text: string) => setSaid((before) => before + text);

  /** The first message connects. After a lost connection, the next message connects again. */
  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get("message");
    if (typeof text !== "string") return;
    event.currentTarget.reset();
    setIsBusy(true);
    add(`\nYou: ${text}\nAgent: `);
    try {
      const { agent, channel, sessionId } = session ?? (await open());
      await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
      channel.endTurn(sessionId);
    } catch (error) {
      add(String(error));
    }
    setIsBusy(false);
  }

  async function open(): Promise<Session> {
    const opened = await connect(url, add, () => setSession(undefined));
    setSession(opened);
    return opened;
  }

  return (
    <main style={{ fontFamily: "system-ui", maxInlineSize: "35rem", margin: "2rem auto" }}>
      <h1>A client of an ACP agent</h1>
      <output aria-label="Conversation" style={{ display: "block", whiteSpace: "pre-wrap" }}>
        {said.trimStart()}
      </output>
      {session && <Elicitations client={session.elicitations} conversationId={session.sessionId} />}
      <form onSubmit={(event) => void send(event)}>
        <label>
          Message <input name="message" required defaultValue="Book me a hotel" />
        </label>
        <button type="submit" disabled={isBusy}>
          Send
        </button>
      </form>
    </main>
  );
}
