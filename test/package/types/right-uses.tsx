/** Code that an app may contain. Compiled against the packed declarations, in each module resolution. */
import { Chat as AiSdkChat, useChat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import {
  type BoundElicitation,
  type ControlProps,
  Elicitations,
  type ElicitationComponents,
  ElicitationProvider,
  type FormElicitationItem,
  useElicitation,
  useElicitationForm,
  useElicitationList,
} from "elicit-kit";
import { createElicitation } from "elicit-kit/ai-sdk";
import {
  type Channel,
  type OpenUrl,
  type PopupWindow,
  createElicitationClient,
  createHttpChannel,
  inspectUrl,
} from "elicit-kit/client";
import { type ConformanceHooks, conformanceCases } from "elicit-kit/conformance";
import { ElicitationDialog } from "elicit-kit/dialog";
import { type ParsedSchema, initialDrafts, parseRequestedSchema, validate } from "elicit-kit/form";
import { de } from "elicit-kit/catalogues/de";
import { askForm, createMockServer, say } from "elicit-kit/mock-server";
import { type StartedMockServer, startMockServer } from "elicit-kit/mock-server/node";
import { ConnectPromptParts, FormElicitationParts } from "elicit-kit/parts";
import type { ElicitationRequest, ElicitationResponse } from "elicit-kit/contract";
import { type Elicitor, type RuntimeOptions, createRuntime, toNextHandlers } from "elicit-kit/runtime";
import { createAgentTurn } from "elicit-kit/agent";
import { createHostedPage } from "elicit-kit/connect";
import { createFileCredentials, serve } from "elicit-kit/node";
import * as z from "zod";
import "elicit-kit/styles.css";

const elicit = createElicitation({ api: "/run/api", trustedOrigin: "https://auth.example.com" });

function Stars({ id, draft, onChange }: ControlProps) {
  return <input id={id} value={String(draft)} onChange={(event) => onChange(event.target.value)} />;
}
const components: ElicitationComponents = { control: { rating: Stars } };

export function Chat() {
  const elicitation = useElicitation({ api: "/run/api" });
  const { messages, sendMessage } = useChat(elicitation.chatOptions);
  return (
    <>
      {messages.length}
      <Elicitations {...elicitation} />
      <button type="button" onClick={() => void sendMessage({ text: "Book a hotel" })}>
        Book
      </button>
    </>
  );
}

type OwnMessage = UIMessage<{ cost: number }>;

export function KeptChat({ id, history }: { id: string; history: OwnMessage[] }) {
  const elicitation = useElicitation({
    id,
    messages: history,
    headers: () => ({ authorization: "Bearer …" }),
    body: { model: "small" },
  });
  const chat = useChat({ ...elicitation.chatOptions, onFinish: ({ message }) => message.metadata?.cost });
  const cost: number | undefined = chat.messages[0]?.metadata?.cost;
  return (
    <ElicitationProvider
      components={components}
      secrets="refuse"
      loadRegistrableDomain={() => import("elicit-kit/registrable-domain")}
    >
      {cost}
      <ElicitationDialog {...elicitation} />
      {elicitation.current === undefined ? null : <Own elicitation={elicitation.current} />}
    </ElicitationProvider>
  );
}

export function SidePanel({ id }: { id: string }) {
  const { client, chatOptions } = useElicitation({ client: elicit, id });
  const transport = new DefaultChatTransport({ ...client.transportOptions, api: "/api/chat" });
  useChat({ ...chatOptions, transport, resume: false });
  const { current } = useElicitationList({ client, conversationId: id });
  return current?.mode === "form" ? <OwnForm elicitation={current} /> : null;
}

function OwnForm({ elicitation }: { elicitation: FormElicitationItem }) {
  const { fields, formProps, submitProps } = useElicitationForm(elicitation);
  return (
    <form {...formProps}>
      {fields.map((field) =>
        field.element === "input" ? (
          <input key={field.name} {...field.inputProps} />
        ) : field.element === "textarea" ? (
          <textarea key={field.name} {...field.inputProps} />
        ) : (
          <select key={field.name} {...field.inputProps} />
        ),
      )}
      <button {...submitProps}>Send</button>
    </form>
  );
}

export const outsideReact = new AiSdkChat({ transport: elicit.createTransport() });
export async function plain(response: Response, elicitation: BoundElicitation): Promise<string | undefined> {
  for await (const chunk of elicit.read("c1", response)) if (chunk.type === "finish") break;
  return elicitation.mode === "url" ? elicitation.connect() : elicitation.request.message;
}

function Own({ elicitation }: { elicitation: BoundElicitation }) {
  const { request } = elicitation;
  if (request.mode === "form") {
    const parsed = parseRequestedSchema(request.requestedSchema);
    if (!parsed.ok) return <p>{parsed.reasons.map(({ message }) => message).join()}</p>;
    const result = validate(parsed.fields, initialDrafts(parsed.fields));
    const errors = result.ok ? [] : Object.values(result.errors);
    return (
      <FormElicitationParts.Root elicitation={elicitation}>
        <FormElicitationParts.Submit className={({ busy }) => (busy ? "off" : undefined)} />
        {errors.length}
      </FormElicitationParts.Root>
    );
  }
  return (
    <ConnectPromptParts.Root elicitation={elicitation} catalogue={de}>
      <ConnectPromptParts.Connect
        render={<button type="button" aria-label={inspectUrl(request.url).verdict} />}
      />
    </ConnectPromptParts.Root>
  );
}

export const channel: Channel = createHttpChannel({ headers: async () => ({ authorization: "Bearer …" }) });
export const client = createElicitationClient({ channel, storage: null });
export const answer: ElicitationResponse = { elicitationId: "e1", action: "accept", content: { to: "LIS" } };
export const asked = (request: ElicitationRequest): string =>
  request.mode === "url" ? request.url : Object.keys(request.requestedSchema.properties).join();

export async function book(elicitor: Elicitor): Promise<string> {
  const trip = await elicitor.form("Where to?", z.object({ to: z.string(), nights: z.int() }));
  const seat = await elicitor.choose("Which seat?", ["aisle", "window"]);
  if (trip.outcome !== "accepted" || seat.outcome !== "accepted") return "not booked";
  const place: "aisle" | "window" = seat.value;
  return `${trip.value.to}, ${trip.value.nights.toFixed()} nights, ${place}`;
}

export const runtime = createRuntime({
  authenticate: (request) => (request.headers.has("cookie") ? { id: "ada" } : undefined),
  allowedOrigins: ["https://chat.example.com"],
  onError: (error) => console.error(error),
});
export const { GET, POST, OPTIONS } = toNextHandlers(() => runtime);
export const mock = createMockServer({
  level: "basic",
  script: [say("Where to?"), askForm({ message: "?", properties: {} })],
});
export const started: Promise<StartedMockServer> = startMockServer({ script: [say("Hello.")] });
export const listening = serve({ fetch: runtime.fetch, port: 0 });
export const hooks: ConformanceHooks = {};
export const more = [conformanceCases, createAgentTurn, createHostedPage, createFileCredentials];

// Types that an app passes in or stores can be named.
type WriteLimit = NonNullable<NonNullable<RuntimeOptions["ports"]>["writeLimit"]>;
const counted = new Map<string, Awaited<ReturnType<WriteLimit>>>();
export const writeLimit: WriteLimit = (sender) => counted.get(sender) ?? { ok: false, retryAfter: 60 };
const inApp = (window: PopupWindow): OpenUrl => {
  return (url) => {
    window.location.replace(url);
    return window;
  };
};
export const opening = (window: PopupWindow) => createElicitationClient({ channel, openUrl: inApp(window) });
export const links: Parameters<typeof inspectUrl>[1] = { allowLoopbackHttp: false };
export const parsed: ParsedSchema = parseRequestedSchema({ type: "object", properties: {} });
