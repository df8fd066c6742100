import { type ToolFile, toolFile } from "./agent-files.ts";
import { type Project, type Files, type Wanted, importOf } from "./project.ts";

/** The files that let a user connect an account: the provider, a tool that needs it, and the route for Next.js. */
export function connectFiles(project: Project, wanted: Wanted): Files {
  const { mock, connect } = wanted;
  if (!connect) return {};
  const { typescript, framework, proxy, aiSdk, agent, base } = project;
  const end = typescript ? "ts" : "js";
  return {
    [`${agent}/github.${end}`]: mock ? mockGithubFile(project) : githubFile(project),
    [`${agent}/list-repositories.${end}`]:
      aiSdk === 7 ? toolFile(typescript, LIST_REPOSITORIES) : olderToolFile(project),
    ...(framework === "next" && {
      [`${base}app/auth/[...path]/route.${end}`]: pageRoute(project, wanted),
      [`${base}${proxy}.${end}`]: proxyFile(project),
    }),
  };
}

/** Code that serves the hosted page beside the chat's own server. */
export const SERVE_PAGE = `// The hosted page: behind a proxy, give it the host name of pageOrigin.
const pageUrl = new URL(pageOrigin);
await serve({ fetch: page.fetch, port: Number(pageUrl.port || 4000), allowedHosts: [pageUrl.hostname] });
`;

/** The name of the variable that both server and page read. Each bundler exposes only variables with its own prefix. */
const variableOf = ({ framework }: Project) =>
  `${framework === "next" ? "NEXT_PUBLIC" : "VITE"}_PAGE_ORIGIN` as const;

/** The origin of the hosted page during development. Next.js also serves it, under the other name of this machine. */
const developmentOriginOf = ({ framework }: Project) =>
  framework === "next" ? "http://127.0.0.1:3000" : "http://localhost:4000";

/** The origin of the hosted page, as code in the browser reads it. */
export function trustedOriginOf(project: Project): string {
  const env = project.framework === "next" ? "process.env" : "import.meta.env";
  return `${env}.${variableOf(project)} ?? "${developmentOriginOf(project)}"`;
}

const originOf = (
  project: Project,
) => `// The origin of the page where users connect an account. It differs from the chat's, so that no script of the chat can
// control the page.
export const pageOrigin = process.env["${variableOf(project)}"] ?? "${developmentOriginOf(project)}";
`;

/** The calls of an agent that uses streamText directly. With `createAgentTurn`, `accounts` makes them. */
function apiOf({ aiSdk, typescript }: Project, isMock: boolean): string {
  if (aiSdk === 7) {
    return isMock
      ? `
// Tools use it as account("github", toolCallId), with the user's token.
export const accounts = {
  github: {
    service: "GitHub",
    api: "https://api.github.com",
    fetch: async () => Response.json([{ full_name: "ada/engine" }, { full_name: "ada/notes" }]),
  },
};
`
      : `
// Tools use it as account("github", toolCallId), with the user's token.
export const accounts = { github: { service: "GitHub", api } };
`;
  }
  const [path, token] = typescript ? ["path: string", "token: string"] : ["path", "token"];
  return isMock
    ? `
export async function callGithub(_${path}, _${token}) {
  return Response.json([{ full_name: "ada/engine" }, { full_name: "ada/notes" }]);
}
`
    : `
export function callGithub(${path}, ${token}) {
  return fetch(\`\${api}\${path}\`, { headers: { authorization: \`Bearer \${token}\` } });
}
`;
}

function githubFile(project: Project): string {
  return `${originOf(project)}
// The issuer of a service that replaces GitHub, for example in tests. It serves the API as well.
const other = process.env["GITHUB_ISSUER"];
const api = other ?? "https://api.github.com";

// Create an OAuth app at https://github.com/settings/developers with the callback URL of pageOrigin and /auth/callback.
export const providers = {
  github: {
    service: "GitHub",
    issuer: other ?? "https://github.com/login/oauth",
    clientId: process.env["GITHUB_CLIENT_ID"] ?? "",
    clientSecret: process.env["GITHUB_CLIENT_SECRET"] ?? "",
    scopes: ["read:user"], // "repo" also lists private ones
  },
};
if (providers.github.clientId === "") console.warn("Set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET.");
${apiOf(project, false)}`;
}

/** A scripted GitHub: a connector whose sign-in returns at once. */
function mockGithubFile(project: Project): string {
  const [imported, type] = project.typescript
    ? [`import type { Connector } from "elicit-kit/connect";\n\n`, ": Connector"]
    : ["", ""];
  return `${imported}${originOf(project)}
// A script in place of GitHub: it lets everybody in at once. The real one is:
// { service: "GitHub", issuer: "https://github.com/login/oauth", clientId, clientSecret, scopes: ["read:user"] }
const github${type} = {
  service: "GitHub",
  start: async ({ state, redirectUri }) => ({ ok: true, url: \`\${redirectUri}?state=\${state}\` }),
  finish: async ({ user }) => ({ ok: true, reference: user.id }),
  token: async () => ({ ok: true, credential: { accessToken: "a-token" } }),
  revoke: async () => ({ ok: true }),
};
export const providers = { github };
${apiOf(project, true)}`;
}

const DESCRIPTION = `description: "Lists the user's repositories on GitHub. Asks to connect GitHub by itself.",`;
const SCHEMA = "const repositories = z.array(z.object({ full_name: z.string() }));";

const namesIn = (response: string) => `const list = repositories.parse(await ${response}.json());
      return list.map(({ full_name }) => full_name).join(", ");`;

const LIST_REPOSITORIES: ToolFile = {
  name: "listRepositories",
  schema: SCHEMA,
  description: DESCRIPTION,
  takes: "account",
  body: `// Asks the user first, if they have not connected the account.
      const found = await account("github", toolCallId).fetch("/user/repos?per_page=20");
      if (!found.ok) return found.text; // tells the model what happened
      if (!found.value.ok) return \`GitHub answered with status \${found.value.status}.\`;
      ${namesIn("found.value")}`,
};

/** The tool for AI SDK 6 and 5. It asks for the account itself, and reads its token. */
function olderToolFile(project: Project): string {
  const { typescript } = project;
  const types = typescript
    ? `import type { CredentialStore } from "elicit-kit/connect";
import { type Turn, createElicitor } from "elicit-kit/runtime";`
    : `import { createElicitor } from "elicit-kit/runtime";`;
  const given = typescript ? "turn: Turn, credentials: CredentialStore" : "turn, credentials";
  return `import { tool } from "ai";
${types}
import { z } from "zod";
import { callGithub, pageOrigin } from "${importOf(project, "./github")}";

${SCHEMA}

export const listRepositories = (${given}) =>
  tool({
    ${DESCRIPTION}
    inputSchema: z.object({}),
    async execute(_, { toolCallId }) {
      const userId = turn.user?.id;
      if (userId === undefined) return "Nobody is signed in.";
      if ((await credentials.get("github", userId)) === undefined) {
        const requester = { name: "Travel assistant" };
        const elicitor = createElicitor({ turn, tool: "github", toolCallId, requester });
        const connected = await elicitor.url("To list your repositories, I need your GitHub account.", {
          url: (elicitationId) => \`\${pageOrigin}/auth/connect?elicitationId=\${elicitationId}\`,
          service: "GitHub",
          purpose: "connect",
        });
        if (connected.outcome !== "accepted") return connected.text; // tells the model what happened
      }
      const credential = await credentials.get("github", userId);
      if (credential === undefined) return "The GitHub account is not connected.";
      const found = await callGithub("/user/repos?per_page=20", credential.accessToken);
      if (!found.ok) return \`GitHub answered with status \${found.status}.\`;
      ${namesIn("found")}
    },
  });
`;
}

/** Next.js serves the hosted page and the chat. Each is available on its own origin only. */
function pageRoute(project: Project, { postgres }: Wanted): string {
  const { typescript, proxy } = project;
  const from = (name: string) => `"${importOf(project, `../../../agent/${name}`)}"`;
  const [name, page] = postgres ? ["started", "(await started()).page"] : ["page", "page"];
  return `import { toNextHandlers } from "elicit-kit/runtime";
import { pageOrigin } from ${from("github")};
import { ${name} } from ${from("runtime")};

// The page where users connect an account, on its own origin only. Nothing else is there: see ${proxy}.${typescript ? "ts" : "js"}.
const { host } = new URL(pageOrigin);
export const { GET, POST } = toNextHandlers({
  async fetch(request) {
    if (request.headers.get("host") !== host) return new Response(null, { status: 404 });
    return ${page}.fetch(request);
  },
});
`;
}

function proxyFile(project: Project): string {
  const { typescript, proxy } = project;
  const imports = typescript ? "type NextRequest, NextResponse" : "NextResponse";
  return `import { ${imports} } from "next/server";
import { pageOrigin } from "${importOf(project, "./agent/github")}";

// The page where users connect an account has an origin of its own, and the chat is not on it: otherwise a script of the
// chat could press the page's buttons.
export function ${proxy}(request${typescript ? ": NextRequest" : ""}) {
  const isPageOrigin = request.headers.get("host") === new URL(pageOrigin).host;
  const isPage = request.nextUrl.pathname.startsWith("/auth/");
  return isPageOrigin && !isPage ? new NextResponse(null, { status: 404 }) : NextResponse.next();
}
`;
}
