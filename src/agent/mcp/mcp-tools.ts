import { type Tool, type ToolExecutionOptions, type ToolSet, dynamicTool, jsonSchema } from "ai";
import { isObject } from "../../contract/json.ts";
import { within } from "../../base/deadlines.ts";
import { type Turn, askFirst, createElicitor } from "../../runtime/index.ts";
import { accountIds } from "../../connect/ports/credentials.ts";
import type { Clock } from "../../base/clock.ts";
import { type McpRelay, createMcpRelay, declaredCapabilities } from "../../mcp/relay/relay.ts";
import { type AccountChoice, type AccountChoices, onlyAccount } from "../account-choices.ts";
import type { CredentialGate } from "../credentials/credential-gate.ts";
import type { CredentialInUse } from "../credentials/credential-in-use.ts";
import type { CredentialOwner } from "../credentials/use-credential.ts";
import type { GatedCall, AgentMcpServer } from "./mcp-server.ts";
import { ToolFailure } from "../../base/tool-failure.ts";
import { outputOf } from "./tool-output.ts";
import { withAnswersOnce } from "./answers-once.ts";
import { callMcpTool, listMcpTools } from "./mcp-client.ts";
import type { McpProcesses } from "./mcp-processes.ts";
import type { MarkDoubted } from "../approval-keys.ts";
import type { Approve } from "../tool-approval.ts";
import type { McpRevisions } from "./mcp-revisions.ts";
import { recordedCall } from "../call-changes.ts";
import { callOf } from "../recorded-tool.ts";
import type { ListedTool, ToolBudget } from "./tool-budget.ts";
import type { ToolNames } from "./tool-names.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The time limit for listing the tools, because every turn waits for it. */
const LIST_MS = 10_000;

interface Adding {
  server: AgentMcpServer;
  turn: Turn;
  gate: CredentialGate;
  accounts: AccountChoices;
  /** Lets a tool ask for approval, where the settings of the agent want that. */
  approve: Approve;
  markDoubted: MarkDoubted;
  requester: { name: string };
  /** Shared by all servers of the turn. */
  toolNames: ToolNames;
  budget: ToolBudget;
  processes: McpProcesses;
  revisions: McpRevisions;
  clock: Clock;
  onError: (error: unknown) => void;
}

/**
 * Adds the tools of one server to `tools`. A server that requires a credential to list its tools gets one placeholder tool
 * under its own name. Once the user has connected, the real tools replace it, in the same turn.
 */
export async function addMcpTools(
  tools: ToolSet,
  {
    server,
    turn,
    gate,
    accounts,
    approve,
    markDoubted,
    requester,
    toolNames,
    budget,
    processes,
    revisions,
    clock,
    onError,
  }: Adding,
): Promise<void> {
  /** The user whose credential the calls need, if they need one. */
  const owner = server.credentialScope === "user" ? { server, user: turn.user } : undefined;
  /** Set if a user may have several accounts. */
  const choices = server.credentialScope === "user" && server.several === true ? accounts : undefined;
  /** The tool names for the model. */
  const names = new Set<string>();
  const mayAsk = server.elicitation !== false;
  // The same capabilities as for calls, because servers hide tools from a client that cannot be asked.
  const capabilities = mayAsk ? declaredCapabilities(turn.supports) : {};

  function relayFor(toolName: string, toolCallId: string, onRepeated: () => void): McpRelay | undefined {
    if (!mayAsk) return undefined;
    const showUnanswerable = server.unanswerableForms === "show";
    const asking = withAnswersOnce(turn, callOf(turn, toolName, toolCallId).id, onRepeated);
    return createMcpRelay({ turn: asking, server, toolName, toolCallId, showUnanswerable, clock });
  }

  async function listWith(credential: CredentialInUse | undefined): Promise<readonly ListedTool[]> {
    const all = await within(clock, LIST_MS, (late) =>
      listMcpTools(server, {
        user: turn.user,
        processes,
        credential,
        signal: AbortSignal.any([turn.signal, late]),
        capabilities,
      }),
    );
    const allowed = server.tools;
    const wanted = allowed === undefined ? all : all.filter(({ name }) => allowed.includes(name));
    return markDoubted(server, all, budget.fit(server, wanted));
  }

  /** Lists the tools. Returns `null` if that requires a credential and there is none. */
  async function list(): Promise<readonly ListedTool[] | null> {
    if (owner === undefined) return listWith(undefined);
    for (const name of await idsToListWith(owner.server.name)) {
      const of = { ...owner, server: { ...owner.server, name } };
      const credential = await gate.stored(of.server, of.user);
      if (credential === undefined) continue;
      const listed = await gate.attempt(of, credential, listWith);
      if (listed.ok) return listed.value;
    }
    const listed = await gate.attempt(owner, undefined, listWith);
    return listed.ok ? listed.value : null;
  }

  /** The account that the turn uses, or all that the user may have. */
  async function idsToListWith(name: string): Promise<readonly string[]> {
    if (choices === undefined) return [name];
    const chosen = await choices.chosenAt(name);
    return chosen?.ok === true ? [chosen.id] : accountIds(name);
  }

  function choiceFor(call: GatedCall, wantsAnother: boolean): AccountChoice {
    return choices?.forCall({ ...call, wantsAnother }) ?? onlyAccount(gate, call);
  }

  async function recorded<T>(name: string, toolCallId: string, run: () => Promise<T>): Promise<T> {
    const called = await recordedCall(turn, callOf(turn, name, toolCallId), choices, async () => ({
      value: await run(),
      rest: null,
    }));
    return called.value;
  }

  /** Returns the names for the model. */
  function add(listed: readonly ListedTool[]): readonly string[] {
    const added = listed.flatMap((tool) => put(tool.name, (name) => toolOf(name, tool)) ?? []);
    if (choices !== undefined && owner !== undefined) addSwitch(owner);
    return added;
  }

  /** Adds a tool of the server, or its placeholder, and returns its name for the model. */
  function put(tool: string | undefined, create: (name: string) => Tool): string | undefined {
    const name = toolNames.free(server.name, tool);
    if (name === undefined) {
      reportNameless();
      return undefined;
    }
    tools[name] = create(name);
    names.add(name);
    return name;
  }

  function toolOf(name: string, tool: ListedTool): Tool {
    const call = approvedCall(name, tool);
    return dynamicTool({
      ...(tool.description !== undefined && { description: tool.description }),
      inputSchema: jsonSchema(tool.inputSchema),
      async execute(input, options) {
        const { output, listChanged } = await recorded(name, options.toolCallId, () =>
          call(isObject(input) ? input : {}, options),
        );
        if (listChanged) await refresh(options.toolCallId).catch(onError);
        return output;
      },
    });
  }

  /** Gives the model the current tools of the server. The SDK's loop reads `tools` again at every step. */
  async function refresh(toolCallId: string): Promise<void> {
    const listed = await turn.runner.step(listingStep(server.name), list, { key: toolCallId });
    if (listed !== null) replace(listed);
  }

  function replace(listed: readonly ListedTool[]): readonly string[] {
    for (const name of names) delete tools[name];
    names.clear();
    return add(listed);
  }

  /** The call of a tool, after the user's approval where the server or the agent wants it. */
  function approvedCall(name: string, tool: ListedTool) {
    const run = (input: Readonly<Record<string, unknown>>, options: ToolExecutionOptions<unknown>) =>
      execute(name, tool, input, options);
    // The name of the service is the operator's. The server could give its tool any title.
    const title = `${server.service}: “${tool.title ?? tool.name}”`;
    const plain = { title, inputSchema: jsonSchema(tool.inputSchema), execute: run };
    const elicitor = (toolCallId: string) => createElicitor({ turn, tool: name, toolCallId, requester });
    const asking = asksFirst(server, tool) ? askFirst(plain, { remember: true })({ elicitor }) : plain;
    return approve(name, asking).execute;
  }

  async function execute(
    name: string,
    tool: ListedTool,
    input: Readonly<Record<string, unknown>>,
    options: ToolExecutionOptions<unknown>,
  ): Promise<{ output: unknown; listChanged: boolean }> {
    let listChanged = false;
    const onListChanged = () => {
      listChanged = true;
    };
    const repeated = new AbortController();
    const onRepeated = () =>
      repeated.abort(
        new ToolFailure(
          `This was interrupted after ${server.service} had got the user's answer. It may have been done: find out before you try again.`,
        ),
      );
    const call = {
      tool: tool.name,
      asTask: tool.execution?.taskSupport === "required",
      input,
      user: turn.user,
      processes,
      revisions,
      signal: AbortSignal.any([options.abortSignal ?? turn.signal, repeated.signal]),
      relay: relayFor(name, options.toolCallId, onRepeated),
      onListChanged,
    };
    // The server waits for its answers on the connection of the call.
    const called = (credential: CredentialInUse | undefined) =>
      turn.runner.hold(async () => {
        try {
          return await callMcpTool(server, { ...call, credential });
        } catch (error) {
          throw repeated.signal.aborted ? repeated.signal.reason : error;
        }
      });
    if (owner === undefined) {
      const result = await called(undefined);
      return { output: outputOf(result), listChanged };
    }
    const asked = gatedCall(owner, { name, ownName: tool.name, title: tool.title, input }, options);
    const gated = await choiceFor(asked, false).run(called);
    return { output: gated.ok ? outputOf(gated.value) : gated.text, listChanged };
  }

  function reportNameless(): void {
    onError(
      new KitError(
        `elicit-kit: ${server.service} has a tool without a free name, so the model does not get it. Rename the servers and agents whose names begin with "${server.name}_".`,
      ),
    );
  }

  /** The only tool of a server that lists its tools only with an account. */
  function addPlaceholder(of: CredentialOwner): void {
    addConnectTool(of, undefined, {
      description: `Connects the user's ${server.service} account. Call it when you need ${server.service}; its tools are there afterwards.`,
      wantsAnother: false,
      done: (added) => `${server.service} is connected. Its tools are: ${added.join(", ")}.`,
    });
  }

  /** The tool with which a user takes another account, beside the tools of the server. */
  function addSwitch(of: CredentialOwner): void {
    addConnectTool(of, "use_another_account", {
      description: `Lets the user choose or connect another ${server.service} account. Call it only if the user wants another account than before.`,
      wantsAnother: true,
      done: (added) =>
        `From now on, ${added.join(", ")} use the ${server.service} account that the user has just chosen.`,
    });
  }

  /** Adds a tool that connects an account. Once that is done, the tools of the server replace those before. */
  function addConnectTool(
    of: CredentialOwner,
    toolName: string | undefined,
    {
      description,
      wantsAnother,
      done,
    }: { description: string; wantsAnother: boolean; done: (added: readonly string[]) => string },
  ): void {
    put(toolName, (name) =>
      dynamicTool({
        description,
        inputSchema: jsonSchema({ type: "object", properties: {} }),
        execute: async (input, options) => {
          // The list and the choice are recorded, but never the credential.
          const gated = await recorded(name, options.toolCallId, () => {
            const asked = gatedCall(of, { name, ownName: toolName, input }, options);
            return choiceFor(asked, wantsAnother).run(listWith);
          });
          if (!gated.ok) return gated.text;
          // The SDK's loop reads `tools` again at every step.
          return done(replace(gated.value));
        },
      }),
    );
  }

  function gatedCall(
    of: CredentialOwner,
    { name: toolName, ...rest }: { name: string } & Pick<GatedCall, "ownName" | "title" | "input">,
    { toolCallId, abortSignal: signal = turn.signal }: ToolExecutionOptions<unknown>,
  ): GatedCall {
    return { turn, server: of.server, toolName, ...rest, toolCallId, signal };
  }

  // Recorded, so that a turn that runs again has the same tools, even if the user has connected in between.
  const listed = await turn.runner.step(listingStep(server.name), list);
  if (listed !== null) add(listed);
  else if (owner !== undefined) addPlaceholder(owner);
}

/**
 * Replaces {@link addMcpTools} for a server that was removed since the first run of the turn. Steps are numbered, so a
 * turn that runs again must make the same steps.
 */
export async function skipMcpTools(turn: Turn, serverName: string): Promise<void> {
  await turn.runner.step(listingStep(serverName), async () => null);
}

const listingStep = (serverName: string) => `tools of ${serverName}`;

/**
 * Whether a call needs the user's approval. By the specification, a tool that does not say otherwise may change something
 * (`readOnlyHint`), and may destroy something (`destructiveHint`).
 */
function asksFirst(server: AgentMcpServer, { annotations = {}, isDoubted }: ListedTool): boolean {
  const which = server.askFirst ?? (isDoubted === true ? "destructive" : undefined);
  if (which === undefined) return false;
  if (which === "all") return true;
  return annotations.readOnlyHint !== true && annotations.destructiveHint !== false;
}
