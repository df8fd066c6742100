import { type Project, type Files, type Wanted, importOf } from "./project.ts";
import { runtimeFile } from "./runtime-file.ts";

/** The files of the agent: the tool that asks, the model, the user, and the runtime. */
export function agentFiles(project: Project, wanted: Wanted): Files {
  const { typescript, aiSdk, agent } = project;
  const end = typescript ? "ts" : "js";
  return {
    [`${agent}/book-hotel.${end}`]:
      aiSdk === 7 ? toolFile(typescript, BOOK_HOTEL) : olderAgentFile(project, wanted),
    [`${agent}/model.${end}`]: wanted.mock ? mockModelFile(aiSdk, wanted) : MODEL,
    [`${agent}/session.${end}`]: sessionFile(typescript),
    [`${agent}/runtime.${end}`]: runtimeFile(project, wanted),
  };
}

const STAY = `const stay = z.object({
  city: z.string().min(2).meta({ title: "City" }),
  nights: z.int().min(1).max(14).meta({ title: "Nights" }),
});`;

const DESCRIPTION = `description: "Books a hotel. Asks the user for city and nights by itself.",`;

/** A tool for AI SDK 7, in its own file. */
export interface ToolFile {
  readonly name: string;
  /** The statement that creates its schema. */
  readonly schema: string;
  readonly description: string;
  /** The properties of the turn that it uses. */
  readonly takes: "account" | "elicitor";
  /** The lines of `execute`. */
  readonly body: string;
}

export function toolFile(typescript: boolean, { name, schema, description, takes, body }: ToolFile): string {
  const [imported, type] = typescript
    ? [`import type { AgentTool } from "elicit-kit/agent";\n`, ": AgentTool"]
    : ["", ""];
  return `import { tool } from "ai";
${imported}import { z } from "zod";

${schema}

export const ${name}${type} = ({ ${takes} }) =>
  tool({
    ${description}
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      ${body}
    },
  });
`;
}

const BOOK_HOTEL: ToolFile = {
  name: "bookHotel",
  schema: STAY,
  description: DESCRIPTION,
  takes: "elicitor",
  body: `const hotel = await elicitor(toolCallId).form("Which hotel shall I book?", stay);
      if (hotel.outcome !== "accepted") return hotel.text; // tells the model what happened
      return \`Booked \${hotel.value.nights} nights in \${hotel.value.city}.\`;`,
};

/** The agent for AI SDK 6 and 5, in which the app calls streamText itself. */
function olderAgentFile(project: Project, { connect }: Wanted): string {
  const { typescript } = project;
  const imports = [
    ...(connect && typescript ? [`import type { CredentialStore } from "elicit-kit/connect";`] : []),
    `import { ${typescript ? "type RunTurn, " : ""}createElicitor, historyForModel } from "elicit-kit/runtime";`,
    `import { z } from "zod";`,
    ...(connect ? [`import { listRepositories } from "${importOf(project, "./list-repositories")}";`] : []),
    `import { model } from "${importOf(project, "./model")}";`,
  ].join("\n");
  const type = typescript ? ": RunTurn" : "";
  const body = turnBody(
    connect ? "bookHotel, listRepositories: listRepositories(turn, credentials)" : "bookHotel",
  );
  return `import { convertToModelMessages, stepCountIs, streamText, tool, validateUIMessages } from "ai";
${imports}

${STAY}

${
  connect
    ? `export function createRunTurn(credentials${typescript ? ": CredentialStore" : ""})${type} {
  return async (turn) => {
${body.replaceAll(/^(?=.)/gm, "  ")}  };
}`
    : `export const runTurn${type} = async (turn) => {
${body}};`
}
`;
}

const turnBody = (
  tools: string,
) => `  // Without earlier requests, which the model must not read, and with a result for each call.
  const messages = await validateUIMessages({ messages: historyForModel(turn.messages) });
  const bookHotel = tool({
    ${DESCRIPTION}
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      const requester = { name: "Travel assistant" };
      const elicitor = createElicitor({ turn, tool: "bookHotel", toolCallId, requester });
      const hotel = await elicitor.form("Which hotel shall I book?", stay);
      if (hotel.outcome !== "accepted") return hotel.text; // tells the model what happened
      return \`Booked \${hotel.value.nights} nights in \${hotel.value.city}.\`;
    },
  });
  const result = streamText({
    model,
    messages: await convertToModelMessages(messages),
    abortSignal: turn.signal,
    stopWhen: stepCountIs(5),
    tools: { ${tools} },
  });
  return result.toUIMessageStream({ originalMessages: messages, generateMessageId: () => turn.id });
`;

const MODEL = `// A name for the AI Gateway, which needs AI_GATEWAY_API_KEY, or a model of a provider's package.
export const model = "openai/gpt-5";
`;

/** A scripted model. The mock model of the AI SDK differs between versions. */
function mockModelFile(aiSdk: Project["aiSdk"], { connect }: Wanted): string {
  const name = { 5: "MockLanguageModelV2", 6: "MockLanguageModelV3", 7: "MockLanguageModelV4" }[aiSdk];
  const reason = (is: string) => (aiSdk === 5 ? `"${is}"` : `{ unified: "${is}", raw: undefined }`);
  const usage =
    aiSdk === 5
      ? "{ inputTokens: 0, outputTokens: 0, totalTokens: 0 }"
      : `{
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}`;
  const called = connect
    ? `const said = JSON.stringify(prompt.findLast(({ role }) => role === "user"));
      const toolName = said.includes("repositories") ? "listRepositories" : "bookHotel";
      const call = { toolCallId: \`call-\${prompt.length}\`, toolName, input: "{}" };`
    : `const call = { toolCallId: \`call-\${prompt.length}\`, toolName: "bookHotel", input: "{}" };`;
  return `// A script in place of a model: it calls ${connect ? "a" : "the"} tool whatever you say, and then says what came of it.
import { ${name}, simulateReadableStream } from "ai/test";

const usage = ${usage};

export const model = new ${name}({
  async doStream({ prompt }) {
    const last = prompt.at(-1);
    const result = last?.role === "tool" ? last.content[0] : undefined;
    if (result?.type !== "tool-result") {
      ${called}
      return {
        stream: simulateReadableStream({
          chunks: [
            { type: "tool-call", ...call },
            { type: "finish", finishReason: ${reason("tool-calls")}, usage },
          ],
        }),
      };
    }
    const delta = result.output.type === "text" ? result.output.value : "Done.";
    return {
      stream: simulateReadableStream({
        chunks: [
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta },
          { type: "text-end", id: "1" },
          { type: "finish", finishReason: ${reason("stop")}, usage },
        ],
      }),
    };
  },
});
`;
}

function sessionFile(typescript: boolean): string {
  const [given, returned] = typescript
    ? ["_request: Request", ": { id: string; name: string } | undefined"]
    : ["_request", ""];
  return `// Replace this with your session: everybody is Ada. Never read the user from the body of a request.
export function userOf(${given})${returned} {
  return { id: "ada", name: "Ada" };
}
`;
}
