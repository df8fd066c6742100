/**
 * A small host with MCP Apps, as the basic-host of ext-apps is: it calls a tool, shows the tool's view, and connects both
 * with the AppBridge. Its switches enable the different behaviour of other hosts. A test decides where views are shown:
 * in a sandbox of a browser, or in its own process.
 */
import type { CallToolResult, Client, Transport } from "@modelcontextprotocol/client";
import {
  AppBridge,
  type McpUiHostContext,
  getToolUiResourceUri,
} from "@modelcontextprotocol/ext-apps/app-bridge";

/** Differences between hosts. The default is basic-host. */
export interface HostSwitches {
  /** The view gets the arguments only when the call has ended, as in claude.ai. */
  readonly late?: boolean;
  /** The view appears after the result, as in Claude Desktop. */
  readonly after?: boolean;
  /** Calls of the view wait for the call of the tool. */
  readonly serial?: boolean;
  /** The view gets neither arguments nor result, as in Claude on iOS. */
  readonly mute?: boolean;
  /** The view cannot send messages. */
  readonly quiet?: boolean;
  /** What the host does with a result of the view: it has no such capability, its handler fails, or it says no. */
  readonly refuses?: "no-capability" | "throws" | "is-error" | undefined;
  /** The time after which the host ends a call, in milliseconds. */
  readonly timeout?: number;
}

/** The messages of a view to the conversation. */
export interface Said {
  link(url: string): void;
  message(content: unknown): void;
  context(content: unknown): void;
}

/** The container of a view. */
export interface Place {
  readonly transport: Transport;
  resize?(height: number): void;
}

export interface BridgeHost {
  /** Calls a tool and shows its view. Rejects if the call does. */
  call(tool: string, args: Record<string, unknown>): Promise<CallToolResult>;
  /** Shows a view. Resolves when it is connected. */
  show(uri: string | undefined): Promise<AppBridge>;
}

const IN_NO_TIME = 600_000;

export function createBridgeHost({
  client,
  switches = {},
  capabilities,
  context = {},
  place,
  said,
}: {
  client: Client;
  switches?: HostSwitches;
  /** Additional capabilities of the host. */
  capabilities?: object | undefined;
  /** `hostContext`. */
  context?: McpUiHostContext;
  place: (uri: string) => Promise<Place>;
  said: Said;
}): BridgeHost {
  const { late, after, serial, mute, quiet, refuses, timeout = IN_NO_TIME } = switches;
  let running: Promise<unknown> = Promise.resolve();

  function refuse(): { isError: true } | undefined {
    if (refuses === "throws") throw new Error("The user does not allow this.");
    return refuses === "is-error" ? { isError: true } : undefined;
  }

  async function show(uri: string | undefined): Promise<AppBridge> {
    if (uri === undefined) throw new Error("the tool has no view");
    const { transport, resize } = await place(uri);
    const bridge = new AppBridge(
      client,
      { name: "test-host", version: "1" },
      {
        openLinks: {},
        serverTools: {},
        ...(refuses !== "no-capability" && { updateModelContext: { text: {} } }),
        ...(quiet !== true && refuses !== "no-capability" && { message: { text: {} } }),
        ...capabilities,
      },
      { hostContext: { theme: "light", locale: "en-GB", ...context } },
    );
    bridge.addEventListener("sizechange", ({ height }) => resize?.(height ?? 0));
    // These are requests with a reply, not events.
    Object.assign(bridge, {
      onopenlink: async ({ url }: { url: string }) => {
        said.link(url);
        return {};
      },
      onmessage: async ({ content }: { content: unknown }) => {
        said.message(content);
        return refuse() ?? {};
      },
      onupdatemodelcontext: async ({ content }: { content?: unknown }) => {
        said.context(content);
        return refuse() ?? {};
      },
    });
    const ready = new Promise<void>((resolve) => {
      bridge.addEventListener("initialized", () => resolve());
    });
    await bridge.connect(transport);
    if (serial === true) {
      bridge.oncalltool = async (params) => {
        await running;
        return client.callTool(params);
      };
    }
    await ready;
    return bridge;
  }

  return {
    show,
    async call(name, args) {
      const { tools } = await client.listTools();
      const uri = getToolUiResourceUri(tools.find((tool) => tool.name === name) ?? {});
      const called = client.callTool({ name, arguments: args }, { timeout });
      running = called.catch(() => {});
      const early = after === true ? undefined : await show(uri);
      if (late !== true && mute !== true) await early?.sendToolInput({ arguments: args });
      try {
        const result = await called;
        const view = early ?? (await show(uri));
        if (mute === true) return result;
        if (late === true || after === true) await view.sendToolInput({ arguments: args });
        await view.sendToolResult(result);
        return result;
      } catch (error) {
        await early?.sendToolCancelled({ reason: "The host has ended the call." });
        throw error;
      }
    },
  };
}
