import { Client, StreamableHTTPClientTransport, type Tool } from "@modelcontextprotocol/client";
import { Elicitations } from "elicit-kit";
import { type ElicitationClient, createElicitationClient } from "elicit-kit/client";
import { type McpChannel, createMcpChannel } from "elicit-kit/mcp";
import { type FormEvent, useState } from "react";

interface Connection {
  channel: McpChannel;
  elicitations: ElicitationClient;
}

/** Connects to an MCP server in any revision. What its tools ask appears as cards. */
async function connect(url: string, onTools: (tools: readonly Tool[]) => void): Promise<Connection> {
  const client = new Client({ name: "mcp-host", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const channel = createMcpChannel({ client, serverName: new URL(url).host });
  const elicitations = createElicitationClient({ channel });
  const list = async () => onTools((await client.listTools()).tools);
  // Some servers add the tools that ask once they know that the client can be asked.
  client.setNotificationHandler("notifications/tools/list_changed", list);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await list();
  return { channel, elicitations };
}

/** A page that calls the tools of any MCP server and shows what they ask. */
export function McpHost({ url }: { url?: string }) {
  const [connection, setConnection] = useState<Connection>();
  const [tools, setTools] = useState<readonly Tool[]>([]);
  const [said, setSaid] = useState("");

  async function open(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    try {
      const address = new FormData(event.currentTarget).get("url");
      if (typeof address === "string") setConnection(await connect(address, setTools));
      setSaid("");
    } catch (error) {
      setSaid(String(error));
    }
  }

  async function call({ channel }: Connection, name: string): Promise<void> {
    setSaid("");
    try {
      const { content } = await channel.callTool({ name, arguments: {} });
      setSaid(content.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join("\n"));
    } catch (error) {
      setSaid(String(error));
    }
  }

  return (
    <main>
      <form onSubmit={(event) => void open(event)}>
        <label>
          MCP server <input name="url" type="url" required defaultValue={url} />
        </label>
        <button type="submit">Connect</button>
      </form>
      {connection &&
        tools.map(({ name, title, description }) => (
          <button key={name} type="button" title={description} onClick={() => void call(connection, name)}>
            {title ?? name}
          </button>
        ))}
      {connection && <Elicitations client={connection.elicitations} conversationId="mcp" />}
      <output style={{ whiteSpace: "pre-wrap" }}>{said}</output>
    </main>
  );
}
