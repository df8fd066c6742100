import { MCP_PATH } from "./agent-server.ts";
import { OPERATOR_PATH } from "./operator.ts";
import { NOTIFY_AFTER_MS } from "./notices.ts";
import { modelName } from "./options.ts";
import type { Services } from "./services.ts";

export type DemoEnvironment = Readonly<Record<string, string | undefined>>;

const SCRIPT_HINT = `a script, for the suggestions of the page
           a real one, from Ollama:  npm start -- --model <name>
           from any OpenAI-compatible server, with its key in MODEL_API_KEY:
                                     npm start -- --model <name> --model-url <url>`;

/** Prints the URLs of the demo. `more` are lines of the same form. */
export function showAddresses({
  env,
  origins,
  services,
  more,
}: {
  env: DemoEnvironment;
  origins: Readonly<Record<"chat" | "auth" | "runtime", string>>;
  services: Services;
  more: readonly string[];
}): void {
  const lines = [
    `runtime  ${origins.runtime}`,
    `auth     ${origins.auth}`,
    `oauth    ${services.issuer}`,
    `tracker  ${services.tracker}`,
    `mail     ${services.mail}  (an API, of which a user may connect several accounts)`,
    `planner  ${services.plannerOrigin}`,
    `mcp      ${origins.runtime}${MCP_PATH}, with Authorization: Bearer demo-alice`,
    `wiki     ${services.wiki}  (nobody has configured it: add it in the page)`,
    `company  ${services.company.issuer}  (the identity provider of carol's company: sign in as carol in the page)`,
    `handbook ${services.handbook.url}  (for users of that company, who are not asked)`,
    `travel   ${services.travel}/.well-known/agent-card.json  (an A2A agent)`,
    `operator ${origins.runtime}${OPERATOR_PATH}  (open questions and past decisions; anyone at this machine may read it)`,
    `host     ${services.host}  (open it: a card inside another chat, as in claude.ai)`,
    ...more,
    `notices  here: leave a question open and close the page for ${NOTIFY_AFTER_MS / 1000} s; the link leads to the question`,
    `model    ${modelName(env) ?? SCRIPT_HINT}`,
  ];
  console.log(`
  Open ${origins.chat}

${lines.map((line) => `  ${line}`).join("\n")}

  Ctrl-C ends it.
`);
}
