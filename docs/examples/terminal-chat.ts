import type { ElicitationRequest, ElicitationResponse } from "elicit-kit/contract";
import type { Runtime, User } from "elicit-kit/runtime";
import { eventOf, untilBlocked, wantsAnswer } from "elicit-kit/runtime/surface";
import { askForm } from "./terminal-form.ts";

/** A terminal for input and output. `ask` shows a prompt and resolves with the line that the user types. */
export interface Terminal {
  print: (text: string) => void;
  ask: (prompt: string) => Promise<string>;
}

/** A chat in a terminal, until the user types an empty line. Questions are prompts, and a page is a printed link. */
export async function terminalChat(runtime: Runtime, user: User, terminal: Terminal): Promise<void> {
  const { print, ask } = terminal;
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
    let reply = "";
    const onEntry = (entry: Parameters<typeof eventOf>[0]) => {
      const event = eventOf(entry);
      if (event.kind === "text" || event.kind === "error") reply += event.text;
    };
    let pause = await untilBlocked(turn, { signal, onEntry });
    while (pause.state !== "ended") {
      for (const request of pause.requests.filter(wantsAnswer)) {
        const [result] = await turn.answer([await answerTo(request, terminal)]);
        if (result?.kind === "pending") print("That is not finished yet.");
      }
      pause = await untilBlocked(turn, { after: pause.after, signal, onEntry });
    }
    print(plain(reply));
    add("assistant", reply);
  }
}

async function answerTo(request: ElicitationRequest, terminal: Terminal): Promise<ElicitationResponse> {
  const { elicitationId, requester, message } = request;
  terminal.print(`${plain(requester?.name ?? "The assistant")} asks: ${plain(message)} (/no to decline)`);
  if (request.mode === "form") return askForm(request, terminal);
  terminal.print(new URL(request.url).href);
  const line = await terminal.ask("Press Enter when you are done there: ");
  return { elicitationId, action: line === "/no" ? "decline" : "accept" };
}

/** Third-party texts may contain characters that move a terminal's cursor or reverse a line. */
export const plain = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ");
