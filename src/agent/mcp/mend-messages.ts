import type { Transport } from "@modelcontextprotocol/client";
import { withTask } from "./mcp-tasks.ts";
import { withReadableTools } from "./readable-tools.ts";

/** Changes results that the SDK's client would reject, before it reads them. */
export function mendMessages(transport: Transport): void {
  let receive = transport.onmessage;
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    enumerable: true,
    get: () => receive,
    set(next: Transport["onmessage"]) {
      receive = next && ((message, extra) => next(withReadableTools(withTask(message)), extra));
    },
  });
}
