import { createElicitation } from "elicit-kit/ai-sdk";
import type { ElicitationClient, ElicitationItem } from "elicit-kit/client";
import { type Drafts, type Field, findSecretFields, validate } from "elicit-kit/form";

/**
 * A chat in plain DOM. `api` is the path of the runtime, such as `/run/api`. Returns functions that send a message and
 * end the chat.
 */
export function startChat(page: HTMLElement, api: string) {
  const client = createElicitation({ api });
  const conversationId = crypto.randomUUID();
  const answer = page.appendChild(document.createElement("p"));
  const cards = new Map<string, HTMLElement>();

  // Renders a card again only when its status changes, so that the user's input is kept.
  const unsubscribe = client.subscribe(() => {
    for (const item of client.getSnapshot().items) {
      const key = `${item.status} ${item.notice?.detail ?? ""}`;
      const before = cards.get(item.id);
      if (before?.dataset["key"] === key) continue;
      const card = drawCard(client, item);
      card.dataset["key"] = key;
      if (before === undefined) page.append(card);
      else before.replaceWith(card);
      cards.set(item.id, card);
    }
  });

  async function send(text: string): Promise<void> {
    const response = await fetch(`${api}/chat`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-supports-elicitation": "true" },
      body: JSON.stringify({
        conversationId,
        messages: [{ id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] }],
      }),
    });
    // Takes the requests out of the stream, and yields the other chunks.
    for await (const chunk of client.read(conversationId, response)) {
      if (chunk.type === "text-delta") answer.append(String(chunk["delta"]));
    }
  }

  function stop(): void {
    unsubscribe();
    client.dispose();
  }
  return { send, stop };
}

function drawCard(client: ElicitationClient, item: ElicitationItem): HTMLElement {
  const { id, request, status, notice } = item;
  const card = document.createElement("section");
  card.role = "group";
  card.ariaLabel = request.message;
  card.append(element("p", `${request.requester?.name ?? "The assistant"} asks: ${request.message}`));
  if (notice?.detail !== undefined) card.append(element("output", notice.detail));
  const decline = button("No", () => void client.decline(id));
  if (status === "blocked") {
    card.append("This cannot be shown.", decline);
  } else if (status === "undelivered") {
    card.append(button("Send again", () => void client.retry(id)));
  } else if (status !== "pending" && status !== "opened") {
    card.append(element("output", status));
  } else if (request.mode === "url") {
    // Shows the whole URL before anything opens. The window opens in the handler of the click.
    card.append(
      element("p", request.url),
      button("Open the page", () => void client.connect(id)),
    );
    if (item.window === "blocked") card.append(link(request.url, () => client.markOpened(id)));
    if (status === "opened") card.append(button("I am done", () => void client.accept(id)));
    card.append(decline);
  } else {
    card.append(drawForm(client, item), decline);
  }
  return card;
}

function drawForm(client: ElicitationClient, item: ElicitationItem): HTMLFormElement {
  const { fields = [], id, request } = item;
  const form = document.createElement("form");
  form.noValidate = true;
  form.append(...fields.map((field) => labelled(field)), element("button", "Send"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const checked = validate(fields, draftsOf(fields, new FormData(form)));
    for (const { name } of fields) {
      const error = checked.ok ? undefined : checked.errors[name];
      const output = form.querySelector(`[data-error="${CSS.escape(name)}"]`);
      if (output !== null) output.textContent = error === undefined ? "" : "Please check this.";
    }
    if (!checked.ok) return;
    const secrets = findSecretFields(fields, request.message);
    if (secrets.length > 0 && !confirm("This asks for a password or another secret. Send it?")) return;
    void client.accept(id, checked.content);
  });
  return form;
}

function labelled(field: Field): HTMLElement {
  const label = element("label", `${field.label} `);
  label.append(controlOf(field), element("small", field.description ?? ""));
  label.append(Object.assign(element("output", ""), { ariaLive: "polite" }));
  label.lastElementChild?.setAttribute("data-error", field.name);
  return label;
}

function controlOf(field: Field): HTMLElement {
  const { name } = field;
  if (field.kind === "text" || field.kind === "number") {
    return Object.assign(document.createElement("input"), { name, value: String(field.default ?? "") });
  }
  const select = Object.assign(document.createElement("select"), { name });
  select.multiple = field.kind === "multi-choice";
  if (!select.multiple) select.append(new Option("", ""));
  const options =
    field.kind === "boolean"
      ? [
          { value: "true", label: "Yes" },
          { value: "false", label: "No" },
        ]
      : field.options;
  const chosen = [field.default ?? []].flat().map(String);
  for (const { value, label } of options) {
    select.append(new Option(label, value, false, chosen.includes(value)));
  }
  return select;
}

function draftsOf(fields: readonly Field[], typed: FormData): Drafts {
  const drafts = fields.flatMap(({ kind, name }): [string, Drafts[string]][] => {
    const values = typed.getAll(name).map(String);
    if (kind === "multi-choice") return [[name, values]];
    const [value = ""] = values;
    if (value === "") return [];
    return [[name, kind === "boolean" ? value === "true" : value]];
  });
  return Object.fromEntries(drafts);
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text: string) {
  return Object.assign(document.createElement(name), { textContent: text });
}

function button(text: string, onclick: () => void): HTMLButtonElement {
  return Object.assign(element("button", text), { type: "button", onclick });
}

function link(href: string, onclick: () => void): HTMLAnchorElement {
  return Object.assign(element("a", "Open it in a tab"), {
    href,
    target: "_blank",
    rel: "noreferrer",
    onclick,
  });
}
