import { Elicitations } from "elicit-kit";
import { ElicitationDialog } from "elicit-kit/dialog";
import type { ElicitationOutcome, ElicitationRequest } from "elicit-kit/contract";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { expect } from "vitest";
import { CONVERSATION, createScript, type Script } from "../../src/client/testing/scripted-client.ts";
import { formRequest, ownWordsQuestion, question, urlRequest } from "../../src/contract/testing/requests.ts";
import { fieldCase } from "./field-case.ts";

/** Replaces each text by elements, as the translation of Chrome does, also in texts that appear later. */
function translate(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && node.data.trim() !== "" && node.parentElement?.localName !== "font") {
      texts.push(node);
    }
  }
  for (const text of texts) {
    const outer = document.createElement("font");
    const inner = outer.appendChild(document.createElement("font"));
    inner.textContent = text.data;
    text.replaceWith(outer);
  }
}

const OUTCOMES: readonly ElicitationOutcome[] = [
  "accepted",
  "declined",
  "cancelled",
  "expired",
  "withdrawn",
  "failed",
];

const steps = Object.fromEntries(
  ["city", "days", "seat", "meal", "pets"].map((name, index) => [
    name,
    index === 1
      ? { type: "integer", minimum: 1, maximum: 9 }
      : { type: "string", title: name, description: "Which?", enum: ["one", "two"] },
  ]),
);
const several = {
  city: { type: "string", title: "City", minLength: 3 },
  mail: { type: "string", title: "Email", format: "email" },
  note: { type: "string", title: "Note", maxLength: 400, description: "A few words" },
};

/** One request for each kind of card. */
const REQUESTS: readonly ElicitationRequest[] = [
  formRequest({ requestedSchema: { type: "object", properties: several, required: ["city", "mail"] } }),
  formRequest({
    requestedSchema: { type: "object", properties: steps },
    context: { trigger: "tool", layout: "steps" },
  }),
  formRequest({ requester: { name: "Agent", claimedName: "Travel Bot" }, remember: { days: 30 } }),
  formRequest({ assignee: { name: "Ada", takeBack: true, remind: true } }),
  formRequest({ from: { name: "Bob" }, giveOn: true }),
  formRequest({
    requestedSchema: { type: "object", properties: { key: { type: "string", title: "API key" } } },
  }),
  formRequest({ requestedSchema: { type: "object", properties: { it: { type: "object" } } } }),
  formRequest({ expiresAt: new Date(Date.now() + 90_000).toISOString() }),
  question({ type: "boolean", title: "Go on?" }, true),
  question({
    type: "array",
    items: { enum: Array.from({ length: 20 }, (_, index) => `o${index}`) },
    minItems: 1,
  }),
  question({ type: "integer", minimum: 1, maximum: 5, title: "Stars" }, false, {
    trigger: "tool",
    fields: { value: { control: "rating" } },
  }),
  question({ type: "string", enum: ["a", "b"], title: "Which" }, false, {
    trigger: "tool",
    fields: { value: { recommended: { value: "b" } } },
  }),
  ownWordsQuestion(),
  urlRequest({ service: { name: "GitHub" } }),
  urlRequest({ url: "http://login.xn--e1awd7f.com/", requester: { name: "Agent", claimedName: "Bot" } }),
  urlRequest({ url: "javascript:alert(1)" }),
];

/** Numbers that look random and are the same in each run. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % most;
  };
}

const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;

/** Presses, types or selects something in the card. */
function doSomething(random: (most: number) => number): void {
  const all = [...document.querySelectorAll<HTMLElement>("button, input, select, summary, a[href]")];
  const target = all[random(all.length)];
  if (target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type)) {
    setValue?.call(target, ["", "x", "Lisbon", "ada@example.com", "7"][random(5)]);
    target.dispatchEvent(new Event("input", { bubbles: true }));
    target.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  } else if (target instanceof HTMLAnchorElement) {
    target.addEventListener("click", (event) => event.preventDefault(), { once: true });
    target.click();
  } else target?.click();
}

async function useTranslated(
  chat: (script: Script) => ReactNode,
  request: ElicitationRequest,
  seed: number,
): Promise<readonly unknown[]> {
  const random = createRandom(seed);
  const errors: unknown[] = [];
  const refusal = {
    kind: "refused",
    status: 400,
    message: "short",
    errors: [{ field: "city", code: "too-short", message: "short" }],
  } as const;
  const script = createScript({
    requests: [request],
    choices: [{ to: { user: "cy" }, name: "Cy" }],
    popupsBlocked: seed % 2 === 1,
    ...(seed % 3 === 1 && {
      respond: (answers) => answers.map(({ elicitationId }) => ({ elicitationId, ...refusal })),
    }),
  });
  const host = document.body.appendChild(document.createElement("div"));
  const root = createRoot(host, { onUncaughtError: (error) => errors.push(error) });
  await act(async () => root.render(chat(script)));
  for (let step = 0; step < 25 && errors.length === 0; step += 1) {
    translate(document.body);
    await act(async () => doSomething(random));
  }
  translate(document.body);
  const outcome = OUTCOMES[seed % OUTCOMES.length] ?? "accepted";
  await act(async () => script.ask({ ...request, resolution: { outcome, at: new Date().toISOString() } }));
  translate(document.body);
  await act(async () => root.unmount());
  script.client.dispose();
  host.remove();
  return errors;
}

fieldCase(
  { sources: ["react/react#11538", "radix-ui/primitives#3795"], before: "failed" },
  "a chat survives the translation of its page, whatever the user then does in a card",
  async () => {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
    const inline = ({ client }: Script) => <Elicitations client={client} conversationId={CONVERSATION} />;
    const docked = ({ client }: Script) => (
      <Elicitations client={client} conversationId={CONVERSATION} placement="composer">
        <textarea aria-label="Message" />
      </Elicitations>
    );
    const dialog = ({ client }: Script) => (
      <ElicitationDialog client={client} conversationId={CONVERSATION} />
    );
    for (const [index, chat] of [inline, docked, dialog].entries()) {
      for (const [at, request] of REQUESTS.entries()) {
        for (let seed = 1; seed <= 2; seed += 1) {
          const errors = await useTranslated(chat, request, seed + at + index);
          expect({ request, errors }).toEqual({ request, errors: [] });
        }
      }
    }
  },
);
