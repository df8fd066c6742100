import { createAgentTurn } from "elicit-kit/agent";
import { createHostedPage, isConnected, withConnectors } from "elicit-kit/connect";
import { createPostgresPorts } from "elicit-kit/postgres";
import { createRuntime } from "elicit-kit/runtime";
import { after } from "next/server";
import { bookHotel } from "./book-hotel";
import { accounts, pageOrigin, providers } from "./github";
import { listRepositories } from "./list-repositories";
import { model } from "./model";
import { userOf } from "./session";

// Where your chat is served. A page from elsewhere cannot write. In production, set CHAT_ORIGIN.
const chatOrigin = process.env["CHAT_ORIGIN"] ?? `http://localhost:${process.env["PORT"] ?? 3000}`;

async function start() {
  const ports = await createPostgresPorts({
    connectionString: process.env["DATABASE_URL"],
    key: process.env["SECRETS_KEY"], // encrypts the accounts
    onError: console.error,
  });
  const credentials = withConnectors(ports.credentials, { providers });
  const runtime = createRuntime({
    ports, // requests and turns
    runTurn: createAgentTurn({
      model,
      tools: { bookHotel, listRepositories },
      accounts,
      credentials,
      connectUrl: `${pageOrigin}/auth/connect`,
      requester: { name: "Travel assistant" }, // who asks, on the card
      onError: console.error,
    }),
    authenticate: userOf,
    allowedOrigins: [chatOrigin],
    answerKey: process.env["ANSWER_KEY"], // the same in all processes
    // For serverless functions: less than maxDuration of the route. The turn continues after its response has ended.
    platform: { maxStreamMs: 280_000, waitUntil: after },
    timeToAnswer: { expiresInMs: 240_000, maxExpiresInMs: 0 }, // no more time than the function has
    hostedPage: { origin: pageOrigin },
    isCompleted: isConnected(credentials), // the user may have connected it in another chat
    accounts: credentials,
    onError: console.error,
  });
  const page = createHostedPage({
    origin: pageOrigin,
    vouch: { url: `${chatOrigin}/run` }, // identifies the user by their session at the chat
    chatHome: chatOrigin,
    elicitations: runtime.elicitations,
    credentials,
    transactions: ports.transactions,
    providers,
    onError: console.error,
  });
  return { runtime, page };
}

// Next.js loads this file separately for routes and for pages. All of them need the same runtime.
const shared: typeof globalThis & { elicitKit?: ReturnType<typeof start> } = globalThis;

/** Connects with the first request: next build only reads this file, and needs no database. */
export function started() {
  shared.elicitKit ??= start().catch((error) => {
    shared.elicitKit = undefined; // the next request tries again
    throw error;
  });
  return shared.elicitKit;
}
