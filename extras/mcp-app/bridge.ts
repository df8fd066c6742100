import { KitError } from "../../src/contract/kit-error.ts";
import { isObject } from "../../src/contract/json.ts";

/** JSON-RPC with the host that shows this view, over `postMessage`. */
export interface Bridge {
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  notify(method: string, params?: Readonly<Record<string, unknown>>): void;
}

/** Handlers for the host's messages. A request of the host waits for the result of `onRequest`. */
export interface BridgeHandlers {
  onNotification(method: string, params: Readonly<Record<string, unknown>>): void;
  onRequest(method: string, params: Readonly<Record<string, unknown>>): unknown;
}

const METHOD_NOT_FOUND = -32_601;

/** Connects to the parent window. Messages of all other windows are ignored: only the host shows this view. */
export function createBridge({ onNotification, onRequest }: BridgeHandlers): Bridge {
  const host = globalThis.parent;
  const waiting = new Map<number, { resolve(result: unknown): void; reject(reason: unknown): void }>();
  let lastId = 0;

  function post(message: Readonly<Record<string, unknown>>): void {
    // The origin of the host is unknown here. The message contains only data that the host already has.
    host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }

  async function reply(
    id: unknown,
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const result = await onRequest(method, params);
    if (result !== undefined) return post({ id, result });
    post({ id, error: { code: METHOD_NOT_FOUND, message: `${method} is not supported by this view.` } });
  }

  globalThis.addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    if (source !== host || !isObject(data) || data["jsonrpc"] !== "2.0") return;
    const { id, method, params, result, error } = data;
    const given = isObject(params) ? params : {};
    if (typeof method === "string") {
      if (id === undefined) onNotification(method, given);
      else void reply(id, method, given);
      return;
    }
    if (typeof id !== "number") return;
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new KitError(`elicit-kit: the host refused: ${messageOf(error)}`));
  });

  return {
    request(method, params) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        post({ id, method, params });
      });
    },
    notify: (method, params = {}) => post({ method, params }),
  };
}

function messageOf(error: unknown): string {
  const message = isObject(error) ? error["message"] : undefined;
  return typeof message === "string" ? message : "no reason";
}

/** The functions that the channel needs from the host of the view. */
export interface AppHost {
  /** Calls a tool of the view's own server: `tools/call`, or `callServerTool` of ext-apps. */
  callTool(params: {
    name: string;
    arguments: Record<string, unknown>;
  }): Promise<{ structuredContent?: unknown; isError?: boolean | undefined }>;
  /**
   * Adds the result of a call that has already returned to the conversation, for the model. Rejects if the host has not
   * accepted it: the model then gets the result from `elicitation_result`.
   */
  report(result: AppResult): Promise<void>;
  /** The host's information on the call (`hostContext.toolInfo`). */
  readonly toolInfo?:
    | { readonly id?: string | number | undefined; readonly name?: string | undefined }
    | undefined;
}

/** The result of a call that the card continued. */
export interface AppResult {
  readonly tool: string;
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
}
