import { Client, StreamableHTTPClientTransport, type Tool } from "@modelcontextprotocol/client";
import { Elicitations } from "elicit-kit";
import { type ElicitationClient, createElicitationClient } from "elicit-kit/client";
import { type McpChannel, createMcpChannel } from "elicit-kit/mcp";
import { type FormEvent, useState } from "react";

interface Connection {
  channel: McpChannel;
  elicitations: ElicitationClient;
  close: () => Promise<void>;
}

/** Connects to an MCP server in any revision. The questions of its tools appear as cards. */
async function connect(
  { url, token }: { url: URL; token: string },
  onTools: (tools: readonly Tool[]) => void,
): Promise<Connection> {
  const client = new Client({ name: "mcp-host", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const channel = createMcpChannel({ client, serverName: url.host });
  const elicitations = createElicitationClient({ channel });
  const list = async () => onTools((await client.listTools()).tools);
  // Some servers add tools that ask when they learn that the client supports it.
  client.setNotificationHandler("notifications/tools/list_changed", list);
  const headers: HeadersInit = token === "" ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  await list();
  async function close(): Promise<void> {
    elicitations.dispose();
    await client.close();
  }
  return { channel, elicitations, close };
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** A page that calls the tools of any MCP server and shows their questions. */
export function McpHost({ url }: { url?: string }) {
  const [connection, setConnection] = useState<Connection>();
  const [tools, setTools] = useState<readonly Tool[]>([]);
  const [tool, setTool] = useState<string>();
  const [said, setSaid] = useState("");
  const chosen = tools.find(({ name }) => name === tool) ?? tools[0];

  /** Shows an error in place of a result. */
  async function attempt(work: () => Promise<string>): Promise<void> {
    setSaid("");
    try {
      setSaid(await work());
    } catch (error) {
      setSaid(String(error));
    }
  }

  async function open(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    await attempt(async () => {
      await connection?.close();
      setConnection(undefined);
      const server = { url: new URL(textOf(form, "url")), token: textOf(form, "token") };
      setConnection(await connect(server, setTools));
      return "";
    });
  }

  async function call({ channel }: Connection, event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    await attempt(async () => {
      const name = textOf(form, "tool");
      const { content } = await channel.callTool({ name, arguments: JSON.parse(textOf(form, "arguments")) });
      return content.map((block) => (block.type === "text" ? block.text : `(${block.type})`)).join("\n");
    });
  }

  return (
    <main>
      <h1>A host for MCP servers</h1>
      <form onSubmit={(event) => void open(event)}>
        <label>
          MCP server <input name="url" type="url" required defaultValue={url} />
        </label>
        <label>
          Token, if it needs one <input name="token" type="password" autoComplete="new-password" />
        </label>
        <button type="submit">Connect</button>
      </form>
      {connection && (
        <form onSubmit={(event) => void call(connection, event)}>
          <label>
            Tool{" "}
            <select name="tool" value={chosen?.name} onChange={({ target }) => setTool(target.value)}>
              {tools.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <p>{chosen?.description}</p>
          <label>
            Arguments <textarea name="arguments" rows={3} defaultValue="{}" spellCheck={false} />
          </label>
          <button type="submit">Call</button>
        </form>
      )}
      {connection && <Elicitations client={connection.elicitations} conversationId="mcp" />}
      <output aria-label="Result">{said}</output>
    </main>
  );
}
