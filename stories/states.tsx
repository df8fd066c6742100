import { Elicitations, type ElicitationsProps } from "elicit-kit";
import { useEffect, useRef } from "react";
import { CONVERSATION, type Script } from "../src/client/testing/scripted-client.ts";
import { offline } from "../src/client/testing/fake-channel.ts";
import { formRequest, question, urlRequest } from "../src/contract/testing/requests.ts";
import { type ScriptProps, useScript } from "./use-script.ts";

/** One card on the sheet. */
interface State extends ScriptProps {
  name: string;
  /** A button that the story presses as soon as the card shows it. */
  pressed?: string;
}

const never = () => new Promise<never>(() => undefined);
const OUTCOMES = ["accepted", "declined", "cancelled", "expired", "withdrawn", "failed"] as const;
const service = { name: "Tracker" };
const connect = (changes: Parameters<typeof urlRequest>[0] = {}) =>
  urlRequest({
    service,
    requester: { name: "Demo agent" },
    message: "To create the issue “Login bug”, it needs your Tracker account.",
    url: "https://auth.example.com/auth/connect?elicitationId=ndvITy_QLzi0vBuXK4m9Qw",
    ...changes,
  });
const flight = (changes: Parameters<typeof formRequest>[0] = {}) =>
  formRequest({
    requester: { name: "Demo agent" },
    message: "I need a few details to book your flight.",
    context: { trigger: "tool", layout: "form" },
    requestedSchema: {
      type: "object",
      required: ["city", "date"],
      properties: {
        city: { type: "string", title: "Destination", minLength: 2, maxLength: 40 },
        date: { type: "string", title: "Departure date", format: "date" },
        cabin: {
          type: "string",
          title: "Cabin",
          enum: ["Economy", "Premium", "Business"],
          default: "Economy",
        },
        travellers: { type: "integer", title: "Travellers", minimum: 1, maximum: 9, default: 1 },
      },
    },
    ...changes,
  });
/** A form with only this field. */
const asking = (message: string, property: Parameters<typeof question>[0]) => ({
  ...question(property, true),
  requester: { name: "Demo agent" },
  message,
});
const opened = ({ client }: Script) => void client.connect("url-1");

const CONNECT: readonly State[] = [
  { name: "Asked", requests: [connect()] },
  { name: "A local address", requests: [connect({ url: "http://127.0.0.1:4120/auth/connect" })] },
  { name: "Caution: an international name", requests: [connect({ url: "https://xn--mnchen-3ya.example/" })] },
  { name: "Danger: a lookalike", requests: [connect({ url: "https://xn--80ak6aa92e.com/" })] },
  { name: "Blocked", requests: [connect({ url: "https://accounts.example.com@evil.example/" })] },
  {
    name: "A name that nobody vouches for",
    requests: [connect({ requester: { name: "Demo agent", claimedName: "GitHub" } })],
  },
  { name: "The window is open", requests: [connect()], start: opened },
  {
    name: "The window was closed",
    requests: [connect()],
    start(script) {
      opened(script);
      script.closeWindow();
    },
  },
  {
    name: "The browser blocked the window",
    requests: [connect()],
    popupsBlocked: true,
    start: opened,
  },
  {
    name: "The provider said no",
    requests: [connect({ progress: { status: "pending", lastError: "access_denied" } })],
  },
  {
    name: "Sending",
    requests: [connect()],
    respond: never,
    start: ({ client }) => void client.decline("url-1"),
  },
  {
    name: "Not delivered",
    requests: [connect()],
    respond: offline,
    start: ({ client }) => void client.decline("url-1"),
  },
  ...OUTCOMES.map((outcome) => ({
    name: outcome === "cancelled" ? "Dismissed" : outcome.charAt(0).toUpperCase() + outcome.slice(1),
    requests: [connect({ resolution: { outcome, at: "2026-11-21T12:00:00Z" } })],
  })),
];

const FORM: readonly State[] = [
  { name: "Asked", requests: [flight()] },
  { name: "Errors", requests: [flight()], pressed: "button[type=submit]" },
  {
    name: "Yes or no",
    requests: [asking("I want to clean up.", { type: "boolean", title: "Delete the old branch?" })],
  },
  {
    name: "A secret",
    requests: [asking("To read your calendar, I need its key.", { type: "string", title: "API key" })],
  },
  {
    name: "Blocked",
    requests: [
      flight({
        requestedSchema: { type: "object", properties: { address: { type: "object", properties: {} } } },
      }),
    ],
  },
  {
    name: "Waits for the rest of its round",
    requests: [flight({ round: { id: "round-1", size: 2 } })],
    start: ({ client }) => void client.accept("form-1", { city: "Lisbon", date: "2027-05-01" }),
  },
  {
    name: "Not delivered",
    requests: [flight()],
    respond: offline,
    start: ({ client }) => void client.accept("form-1", { city: "Lisbon", date: "2027-05-01" }),
  },
  ...OUTCOMES.map((outcome) => ({
    name: outcome === "cancelled" ? "Dismissed" : outcome.charAt(0).toUpperCase() + outcome.slice(1),
    requests: [flight({ resolution: { outcome, at: "2026-11-21T12:00:00Z" } })],
  })),
];

export interface StatesProps extends Pick<ElicitationsProps, "catalogue"> {}

/** Both cards in all their states, beside each other. */
export function States({ catalogue }: StatesProps) {
  useEffect(stayAtTop, []);
  return (
    <div className="book-states">
      {[
        { card: "ConnectPrompt", states: CONNECT },
        { card: "FormElicitation", states: FORM },
      ].map(({ card, states }) => (
        <section key={card} aria-label={card}>
          <h2>{card}</h2>
          <div>
            {states.map((state) => (
              <Shown key={state.name} {...state} catalogue={catalogue} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

/** Some cards take the focus when they appear. Until the reader does something, the sheet stays at its top. */
function stayAtTop(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  addEventListener("scroll", () => scrollTo(0, 0), { signal });
  for (const type of ["pointerdown", "keydown", "wheel", "touchstart"]) {
    addEventListener(type, () => ended.abort(), { signal });
  }
  return () => ended.abort();
}

function Shown({ name, pressed, catalogue, ...options }: State & StatesProps) {
  const script = useScript(options);
  const figure = useRef<HTMLElement>(null);
  useEffect(() => {
    if (pressed === undefined || figure.current === null) return undefined;
    const card = figure.current;
    const press = () => {
      const button = card.querySelector<HTMLElement>(pressed);
      if (button === null) return;
      observer.disconnect();
      button.click();
    };
    const observer = new MutationObserver(press);
    observer.observe(card, { childList: true, subtree: true });
    press();
    return () => observer.disconnect();
  }, [pressed]);
  return (
    <figure ref={figure}>
      <figcaption>{name}</figcaption>
      <Elicitations client={script.client} conversationId={CONVERSATION} catalogue={catalogue} />
    </figure>
  );
}
