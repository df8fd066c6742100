import type { FormQuestion, RuntimeOptions } from "../../src/runtime/index.ts";
import { createHostedPage } from "../../src/connect/index.ts";
import type { HostedPageOptions } from "../../src/connect/page/hosted-page.ts";
import { createMemoryCredentials } from "../../src/connect/ports/credentials.ts";
import { type Page, createBrowser, hiddenFields } from "./browser.ts";
import { CHAT_ORIGIN, createChatClient } from "./chat-client.ts";
import { AUTH, RUNTIME_URL } from "./page-stage.ts";
import { asking, createTestRuntime } from "./test-runtime.ts";

/** Takes the answers of the page. */
export const ANSWER = `${AUTH}/auth/answer`;

export const TRIP: FormQuestion = {
  mode: "form",
  message: "Where to, and for how long?",
  requester: { name: "Hotel assistant" },
  requestedSchema: {
    type: "object",
    properties: {
      city: { type: "string", title: "City", minLength: 3 },
      nights: { type: "integer", title: "Nights", minimum: 1, maximum: 30, default: 2 },
    },
    required: ["city"],
  },
};

/** Ada's agent asks. Her chat is at `chat.example.com`, the page at `auth.example.com`. */
export async function stageAnswerPage(
  question: FormQuestion = TRIP,
  page: Partial<HostedPageOptions> = {},
  more: Partial<RuntimeOptions> = {},
) {
  const runtime = createTestRuntime(asking(question), { hostedPage: { origin: AUTH }, ...more });
  const errors: unknown[] = [];
  const hosted = createHostedPage({
    origin: AUTH,
    vouch: { url: RUNTIME_URL },
    chatHome: CHAT_ORIGIN,
    elicitations: runtime.elicitations,
    credentials: createMemoryCredentials(),
    providers: {},
    clock: runtime.clock,
    onError: (error) => errors.push(error),
    ...page,
  });
  const newBrowser = (user?: string) => {
    const browser = createBrowser({ [AUTH]: hosted.fetch, [CHAT_ORIGIN]: runtime.fetch });
    if (user !== undefined) browser.setCookie(CHAT_ORIGIN, "user", user);
    return browser;
  };
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("her-own-chat");
  const { elicitationId } = await stream.request();
  const url = runtime.elicitations.linkFor(elicitationId) ?? "";
  const browser = newBrowser("ada");
  return {
    runtime,
    errors,
    stream,
    elicitationId,
    url,
    browser,
    newBrowser,
    shown: await browser.visit(url),
    status: async () => (await runtime.elicitations.get(elicitationId))?.status,
    /** The result for the agent. */
    async result(): Promise<unknown> {
      await stream.done;
      return JSON.parse(String(stream.chunks.find(({ type }) => type === "text-delta")?.["delta"]));
    },
  };
}

type Stage = Awaited<ReturnType<typeof stageAnswerPage>>;

/** Submits the form of a page. A list is sent like several selected options of a browser. */
export function send(
  { browser }: Stage,
  page: Page,
  fields: Readonly<Record<string, string | readonly string[]>>,
  headers: Record<string, string> = {},
): Promise<Page> {
  const { elicitationId = "", csrf = "" } = hiddenFields(page);
  const pairs = Object.entries({ elicitationId, csrf, action: "accept", ...fields });
  const body = pairs.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]));
  return browser.postPairs(ANSWER, body, headers);
}
