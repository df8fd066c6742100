import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
);

/** Says on which port the process listens. The program itself only knows the port that it was given. */
const TELL_PORT = `import { channel } from "node:diagnostics_channel";
channel("tracing:net.server.listen:asyncEnd").subscribe(({ server }) => process.send(server.address().port));`;

export interface EverythingServer {
  readonly url: string;
  kill(): Promise<void>;
}

/** The MCP project's own test server in a separate process, over HTTP, on a port that the system chooses. */
export async function startEverything(): Promise<EverythingServer> {
  const preload = `data:text/javascript,${encodeURIComponent(TELL_PORT)}`;
  const child = spawn(process.execPath, ["--import", preload, PROGRAM, "streamableHttp"], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = once(child, "close");
  const [port] = await Promise.race([once(child, "message"), ended]);
  if (child.exitCode !== null) throw new Error("server-everything has ended");
  return {
    url: `http://localhost:${port}/mcp`,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
