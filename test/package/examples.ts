/** The examples in the docstrings, as files for a compiler. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { apiReference } from "../../tools/api-reference.ts";
import { Declarations } from "../../tools/declarations.ts";
import { checkout } from "./installed.ts";

/** The imports of examples from other packages. */
const FROM: Readonly<Record<string, readonly string[]>> = {
  "@a2a-js/sdk/client": ["ClientFactory"],
  "@ag-ui/client": ["HttpAgent"],
  "@agentclientprotocol/sdk": ["ndJsonStream"],
  "@ai-sdk/react": ["useChat"],
  "@modelcontextprotocol/client": ["Client", "StreamableHTTPClientTransport"],
  ai: ["DefaultChatTransport", "tool", "wrapLanguageModel"],
  "node:os": ["userInfo"],
  zod: ["z"],
};

/**
 * Variables that examples use without declaring them, with their types: those of an app, and those of another example.
 */
const GIVEN: Readonly<Record<string, string>> = {
  agents: '(id: string) => Exclude<import("ai").LanguageModel, string>',
  allowedOrigins: "string[]",
  app: 'Record<"all" | "get" | "post", (path: string, reply: (c: { req: { raw: Request } }) => unknown) => void>',
  authenticate:
    '(request: Request) => Promise<{ user: import("elicit-kit/runtime").User; id: string; clientId: string } | undefined>',
  authInfo: "{ token: string; clientId: string; scopes: string[] }",
  book: "(city: string, nights: number) => Promise<string>",
  buildServer: '() => import("@modelcontextprotocol/server").McpServer',
  chat: '{ id: string; messages: import("ai").UIMessage[] }',
  client: 'import("elicit-kit/client").ElicitationClient',
  connectionString: "string",
  elicit: 'import("elicit-kit/ai-sdk").ChatElicitation',
  error: "unknown",
  input: "ReadableStream<Uint8Array>",
  key: "string",
  log: "(text: string) => void",
  elicitations: 'readonly import("elicit-kit").BoundElicitation[]',
  messages: 'import("ai").UIMessage[]',
  sendMessage: "(message: { text: string }) => Promise<void>",
  model: 'import("ai").LanguageModel',
  output: "WritableStream<Uint8Array>",
  ports: 'import("elicit-kit/postgres").PostgresPorts',
  providers: 'Record<string, import("elicit-kit/connect").Provider>',
  render: "(...shown: unknown[]) => void",
  request: 'import("elicit-kit/contract").ElicitationRequest & { url: string; requestedSchema: unknown }',
  runTurn: 'import("elicit-kit/runtime").RunTurn',
  runtime: 'import("elicit-kit/runtime").Runtime',
  sessions: '{ userOf(request: Request): Promise<import("elicit-kit/runtime").User | undefined> }',
  show: "(...shown: unknown[]) => void",
  showMessageWithItsCards: '(message: import("ai").UIMessage) => import("react").ReactElement',
  staffSessions: "{ operatorOf(request: Request): { id: string } | null }",
  stored: 'import("elicit-kit/connect").CredentialStore',
  text: "string",
  threadId: "string",
  users:
    'Record<"ofToken" | "ofSlack", (...given: unknown[]) => Promise<import("elicit-kit/runtime").User | undefined>>',
};

/** Examples that need a third-party library around them. */
const NOT_ALONE = new Set([
  "createAcpChannel",
  "elicitationHandler",
  "elicitationParts",
  "withRequiredPages",
]);

/** Writes each example of the API reference into a file of a folder. Returns the names that have one. */
export async function writeExamples(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const ours = exportsOfEntries();
  const found: string[] = [];
  for (const [page, text] of apiReference().pages) {
    for (const { name, code } of examplesIn(text)) {
      if (NOT_ALONE.has(name)) continue;
      found.push(name);
      const used = new Set(code.match(/\b[A-Za-z_]\w*\b/g));
      const own = new Set([...code.matchAll(/\b(?:const|let) (?:\{ ([^}]*) \}|(\w+))/g)].flatMap(declared));
      const imports = [...used].flatMap((word) => {
        const from = own.has(word) || code.includes(`import { ${word} }`) ? undefined : ours.get(word);
        return from === undefined || word in GIVEN ? [] : [`import { ${word} } from "${from}";`];
      });
      const given = Object.entries(GIVEN)
        .filter(([word]) => used.has(word) && !own.has(word))
        .map(([word, type]) => `declare const ${word}: ${type};`);
      const lines = [...imports, ...given, code, "export {};"];
      await writeFile(join(folder, `${page.replace(".md", "")}-${name}.tsx`), lines.join("\n"));
    }
  }
  return found;
}

function declared([, names, name]: RegExpMatchArray): string[] {
  return name === undefined ? (names?.split(/, |: /) ?? []) : [name];
}

function examplesIn(page: string): { name: string; code: string }[] {
  return page
    .split(/^### /m)
    .slice(1)
    .flatMap((section) =>
      [...section.matchAll(/^```tsx\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => ({
        name: /^\w+/.exec(section)?.[0] ?? "",
        code,
      })),
    );
}

/** The entry that exports a name. */
function exportsOfEntries(): ReadonlyMap<string, string> {
  const declarations = new Declarations();
  const names = new Map<string, string>();
  for (const [from, exported] of Object.entries(FROM)) for (const name of exported) names.set(name, from);
  for (const [path, target] of Object.entries(manifest.exports)) {
    if (typeof target === "string") continue;
    for (const [name, { kind }] of declarations.exportsOf(join(checkout, target.types))) {
      if (!names.has(name) && kind !== "type") names.set(name, `elicit-kit${path.slice(1)}`);
    }
  }
  return names;
}
