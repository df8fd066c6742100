import { type Draft, type Field, parseRequestedSchema, validate } from "elicit-kit/form";
import type { ElicitationRequest, ElicitationResponse } from "elicit-kit/protocol";
import { type Runtime, type User, untilBlocked, wantsAnswer } from "elicit-kit/runtime";

/** Where the person reads and types. `ask` shows a prompt and resolves with the line that they type. */
export interface Terminal {
  print: (text: string) => void;
  ask: (prompt: string) => Promise<string>;
}

/** A chat in a terminal, until the person types an empty line: questions are prompts, a page is a printed link. */
export async function terminalChat(runtime: Runtime, user: User, { print, ask }: Terminal): Promise<void> {
  const surface = runtime.surface("terminal");
  const { signal } = new AbortController();
  const messages: { id: string; role: string; parts: { type: "text"; text: string }[] }[] = [];
  const add = (role: string, text: string) =>
    messages.push({ id: String(messages.length), role, parts: [{ type: "text", text }] });

  for (let line = await ask("> "); line !== ""; line = await ask("> ")) {
    add("user", line);
    const supports = { url: true, form: true };
    const turn = await surface.start({ user, conversationId: "terminal", messages, supports });
    if ("refused" in turn) return print(`Try again later (${turn.refused}).`);
    let said = "";
    for (let after: number | undefined; ;) {
      const pause = await untilBlocked(turn, {
        after,
        signal,
        onEntry({ chunk }) {
          if (chunk.type === "text-delta" && "delta" in chunk) said += String(chunk.delta);
          if (chunk.type === "error" && "errorText" in chunk) said += String(chunk.errorText);
        },
      });
      if (pause.state === "ended") break;
      after = pause.after;
      for (const request of pause.requests.filter(wantsAnswer)) {
        const [result] = await turn.answer([await answerTo(request)]);
        if (result?.kind === "pending") print("That is not finished yet.");
      }
    }
    print(plain(said));
    add("assistant", said);
  }

  async function answerTo(request: ElicitationRequest): Promise<ElicitationResponse> {
    const { elicitationId, requester, message } = request;
    print(`${plain(requester?.name ?? "The assistant")} asks: ${plain(message)} (/no to decline)`);
    if (request.mode === "url") {
      print(new URL(request.url).href);
      const line = await ask("Press Enter when you are done there: ");
      return { elicitationId, action: line === "/no" ? "decline" : "accept" };
    }
    const schema = parseRequestedSchema(request.requestedSchema);
    // A form that cannot be shown can still be left.
    if (!schema.ok) return { elicitationId, action: "cancel" };
    for (;;) {
      const drafts: Record<string, Draft> = Object.create(null);
      for (const field of schema.fields) {
        const line = await ask(`${plain(field.label)}${hintOf(field)}: `);
        if (line === "/no") return { elicitationId, action: "decline" };
        if (line !== "") drafts[field.name] = draftOf(field, line);
      }
      const checked = validate(schema.fields, drafts);
      if (checked.ok) return { elicitationId, action: "accept", content: checked.content };
      for (const [name, { code }] of Object.entries(checked.errors)) print(plain(`${name}: ${code}`));
    }
  }
}

/** What others have written may hold what moves a terminal's cursor or turns a line around. */
const plain = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ");

function hintOf(field: Field): string {
  if (field.kind === "boolean") return " (yes or no)";
  return "options" in field ? ` (${plain(field.options.map(({ value }) => value).join(", "))})` : "";
}

function draftOf(field: Field, line: string): Draft {
  if (field.kind === "boolean") return line === "yes";
  return field.kind === "multi-choice" ? line.split(",").map((value) => value.trim()) : line;
}
