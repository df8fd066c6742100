import { type Project, type Wanted, importOf } from "./project.ts";

/** The runtime file. With `connect`, it also has the hosted page. */
export function runtimeFile(project: Project, wanted: Wanted): string {
  const { connect, postgres } = wanted;
  const isNext = project.framework === "next";
  const statements = [
    ...(postgres ? [portsOf(wanted)] : []),
    ...(connect ? [credentialsOf(wanted)] : []),
    runtimeOf(project, wanted),
    ...(connect ? [pageOf(wanted)] : []),
  ];
  const made = isNext ? madeOnce(project, wanted, statements) : statements.map(exported).join("\n");
  // Beside a server of the app, Vite serves the chat, and PORT is that of the server.
  const port = isNext ? 3000 : 5173;
  const origin =
    project.server === undefined
      ? `\`http://localhost:\${process.env["PORT"] ?? ${port}}\``
      : `"http://localhost:${port}"`;
  return `${importsOf(project, wanted).join("\n")}

// Where your chat is served. A page from elsewhere cannot write. In production, set CHAT_ORIGIN.
const chatOrigin = process.env["CHAT_ORIGIN"] ?? ${origin};

${made}${postgres && !isNext ? CLOSE : ""}`;
}

/** Next.js loads the file again for each of its bundles. */
function madeOnce(
  { typescript }: Project,
  { connect, postgres }: Wanted,
  statements: readonly string[],
): string {
  const reason = `// Next.js loads this file separately for routes and for pages. All of them need the same runtime.
const shared`;
  if (!connect && !postgres) {
    const created = statements.join("").replace("const runtime = ", "");
    return `${reason}${typescript ? ": typeof globalThis & { elicitRuntime?: Runtime }" : ""} = globalThis;

export const runtime = (shared.elicitRuntime ??= ${created.replace(/;\n$/, "")});
`;
  }
  const names = connect ? "{ runtime, page }" : "{ runtime }";
  const shared = `${reason}${
    typescript ? ": typeof globalThis & { elicitKit?: ReturnType<typeof start> }" : ""
  } = globalThis;
`;
  const start = `function start() {
${statements.join("").replaceAll(/^(?=.)/gm, "  ")}  return ${names};
}

${shared}
`;
  if (!postgres) return `${start}export const ${names} = (shared.elicitKit ??= start());\n`;
  return `async ${start}/** Connects with the first request: next build only reads this file, and needs no database. */
export function started() {
  shared.elicitKit ??= start().catch((error) => {
    shared.elicitKit = undefined; // the next request tries again
    throw error;
  });
  return shared.elicitKit;
}
`;
}

function importsOf(project: Project, { connect, postgres }: Wanted): string[] {
  const from = (name: string) => `"${importOf(project, `./${name}`)}"`;
  const isSeven = project.aiSdk === 7;
  const isTyped = project.typescript && project.framework === "next" && !connect && !postgres;
  const store = postgres ? "" : "createMemoryCredentials, ";
  return [
    ...(isSeven ? [`import { createAgentTurn } from "elicit-kit/agent";`] : []),
    ...(connect
      ? [`import { createHostedPage, ${store}isConnected, withConnectors } from "elicit-kit/connect";`]
      : []),
    ...(postgres ? [`import { createPostgresPorts } from "elicit-kit/postgres";`] : []),
    `import { createRuntime${isTyped ? ", type Runtime" : ""} } from "elicit-kit/runtime";`,
    ...(isNextFunction(project, postgres) ? [`import { after } from "next/server";`] : []),
    ...(isSeven
      ? [`import { bookHotel } from ${from("book-hotel")};`]
      : [`import { ${connect ? "createRunTurn" : "runTurn"} } from ${from("book-hotel")};`]),
    ...(connect
      ? [`import { ${isSeven ? "accounts, " : ""}pageOrigin, providers } from ${from("github")};`]
      : []),
    ...(connect && isSeven ? [`import { listRepositories } from ${from("list-repositories")};`] : []),
    ...(isSeven ? [`import { model } from ${from("model")};`] : []),
    `import { userOf } from ${from("session")};`,
  ];
}

const portsOf = ({ connect }: Wanted) => `const ports = await createPostgresPorts({
  connectionString: process.env["DATABASE_URL"],
${connect ? `  key: process.env["SECRETS_KEY"], // encrypts the accounts\n` : ""}  onError: console.error,
});
`;

const credentialsOf = ({ postgres }: Wanted) =>
  postgres
    ? "const credentials = withConnectors(ports.credentials, { providers });\n"
    : `// Forgets the accounts at a restart. One that keeps them: createFileCredentials of elicit-kit/node.
const credentials = withConnectors(createMemoryCredentials(), { providers });
`;

/** Whether the runtime is written for serverless functions, such as Vercel's. In memory it needs a single process. */
const isNextFunction = ({ framework }: Project, postgres: boolean) => framework === "next" && postgres;

function runtimeOf(project: Project, { connect, postgres }: Wanted): string {
  const { aiSdk } = project;
  const tools = connect ? "bookHotel, listRepositories" : "bookHotel";
  const accounts = connect
    ? `    accounts,
    credentials,
    connectUrl: \`\${pageOrigin}/auth/connect\`,
`
    : "";
  const turn =
    aiSdk === 7
      ? `  runTurn: createAgentTurn({
    model,
    tools: { ${tools} },
${accounts}    requester: { name: "Travel assistant" }, // who asks, on the card
    onError: console.error,
  }),`
      : connect
        ? "  runTurn: createRunTurn(credentials),"
        : "  runTurn,";
  return `const runtime = createRuntime({
${postgres ? `  ports, // requests and turns\n` : ""}${turn}
  authenticate: userOf,
  allowedOrigins: [chatOrigin],
${postgres ? `  answerKey: process.env["ANSWER_KEY"], // the same in all processes\n` : ""}${
    isNextFunction(project, postgres)
      ? `  // For serverless functions: less than maxDuration of the route. The turn continues after its response has ended.
  platform: { maxStreamMs: 280_000, waitUntil: after },
  timeToAnswer: { expiresInMs: 240_000, maxExpiresInMs: 0 }, // no more time than the function has
`
      : ""
  }${
    connect
      ? `  hostedPage: { origin: pageOrigin },
  isCompleted: isConnected(credentials), // the user may have connected it in another chat
  accounts: credentials,
`
      : ""
  }  onError: console.error,
});
`;
}

const pageOf = ({ postgres }: Wanted) => `const page = createHostedPage({
  origin: pageOrigin,
  vouch: { url: \`\${chatOrigin}/run\` }, // identifies the user by their session at the chat
  chatHome: chatOrigin,
  elicitations: runtime.elicitations,
  credentials,
${postgres ? `  transactions: ports.transactions,\n` : ""}  providers,
  onError: console.error,
});
`;

/** In a Vite app, these are the exports of the file. */
const exported = (statement: string) => statement.replace(/^const (?=(?:runtime|page) )/m, "export const ");

const CLOSE = `
export async function close() {
  await runtime.close();
  await ports.close();
}
`;
