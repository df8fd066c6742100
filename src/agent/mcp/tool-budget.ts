import type { Tool as McpTool } from "@modelcontextprotocol/client";
import { claimedNameOf } from "../../contract/claimed-name.ts";
import { KitError } from "../../contract/kit-error.ts";
import { isUnreadable } from "./readable-tools.ts";
import { withoutRootChoices } from "./root-choices.ts";

/** The data of a tool that the model and the calls need. */
export interface ListedTool extends Pick<
  McpTool,
  "name" | "title" | "annotations" | "description" | "execution"
> {
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Whether it must ask, because a key of `toolApproval` that names no tool may have meant it. */
  readonly isDoubted?: boolean;
}

/** Limits how much of the tools from MCP servers one turn keeps, records and sends to the model. */
export interface ToolBudget {
  /** Returns the tools of a server that fit. They replace its earlier list in this turn. Reports the others. */
  fit(server: { name: string; service: string }, listed: readonly McpTool[]): readonly ListedTool[];
}

/** Models choose badly between more tools than this. */
const MAX_TOOLS = 500;
/** The limit in KiB of JSON characters. A hundred tools of a large server take about 60 KiB. */
const MAX_TOOL_KIB = 32;
const MAX_SERVER_KIB = 256;
const MAX_TURN_KIB = 1024;
/** How many tools a report names. */
const MAX_NAMES = 10;
const KIB = 1024;

/** Creates the budget of one turn. */
export function createToolBudget(onError: (error: unknown) => void): ToolBudget {
  const taken = new Map<string, number>();

  return {
    fit({ name: server, service }, listed) {
      const report = (what: string) => onError(new KitError(`elicit-kit: ${service} lists ${what}`));
      const unreadable: McpTool[] = [];
      const tools = listed.flatMap((tool) => {
        const read = isUnreadable(tool) ? undefined : measured(tool);
        if (read === undefined) unreadable.push(tool);
        return read ?? [];
      });
      if (unreadable.length > 0) {
        const names = unreadable.slice(0, MAX_NAMES).map(nameOf).join(", ");
        report(
          `${unreadable.length} of ${listed.length} tools without a name, or whose schema is not that of an object or cannot be read, which the model does not get: ${names}${unreadable.length > MAX_NAMES ? ", …" : ""}.`,
        );
      }
      const fitting = tools.filter(({ length }) => length <= MAX_TOOL_KIB * KIB);
      const tooLong = tools.find(({ length }) => length > MAX_TOOL_KIB * KIB);
      if (tooLong !== undefined) {
        report(
          `${tools.length - fitting.length} of ${tools.length} tools with more than ${MAX_TOOL_KIB} KiB, which the model does not get. The first is ${nameOf(tooLong.tool)}. Its descriptions and its schema must be shorter.`,
        );
      }

      taken.delete(server);
      const others = [...taken.values()].reduce((sum, length) => sum + length, 0);
      const limit = Math.min(MAX_SERVER_KIB * KIB, MAX_TURN_KIB * KIB - others);
      let total = 0;
      const past = fitting.findIndex(({ length }) => (total += length) > limit);
      const count = Math.min(past === -1 ? fitting.length : past, MAX_TOOLS);
      if (count < fitting.length) {
        const why =
          count === MAX_TOOLS
            ? ""
            : ` A server may fill ${MAX_SERVER_KIB} KiB, and all servers of a turn ${MAX_TURN_KIB} KiB.`;
        report(
          `${fitting.length} tools. Only the first ${count} are given to the model.${why} Name those that you need in \`tools\` of the server.`,
        );
      }
      const kept = fitting.slice(0, count);
      taken.set(
        server,
        kept.reduce((sum, { length }) => sum + length, 0),
      );
      return kept.map(({ tool }) => tool);
    },
  };
}

function partsOf({ name, title, annotations, description, inputSchema, execution }: McpTool): ListedTool {
  const shown = title ?? annotations?.title;
  const { readOnlyHint, destructiveHint } = annotations ?? {};
  const hints = Object.entries({ readOnlyHint, destructiveHint }).filter(([, hint]) => hint !== undefined);
  return {
    name,
    ...(shown !== undefined && { title: shown }),
    ...(hints.length > 0 && { annotations: Object.fromEntries(hints) }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(execution !== undefined && { execution }),
  };
}

/** `undefined` for a tool whose choices cannot be read. Those of a long tool are not, because that takes long. */
function measured(listed: McpTool): { tool: ListedTool; length: number } | undefined {
  const tool = partsOf(listed);
  const { length } = JSON.stringify(tool);
  if (length > MAX_TOOL_KIB * KIB) return { tool, length };
  try {
    const inputSchema = withoutRootChoices(tool.inputSchema);
    if (inputSchema === tool.inputSchema) return { tool, length };
    const merged = { ...tool, inputSchema };
    return { tool: merged, length: JSON.stringify(merged).length };
  } catch {
    return undefined;
  }
}

const nameOf = ({ name }: Pick<McpTool, "name">) => claimedNameOf(name) ?? "a tool without a name";
