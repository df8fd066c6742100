import { Agent, type IncomingMessage, request } from "node:http";

const streams = new Agent({ maxSockets: Infinity });
const answers = new Agent({ keepAlive: true, maxSockets: 32 });

function post(url: string, user: string, body: unknown, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${user}`,
      "content-type": "application/json",
      "x-supports-elicitation": "true",
    };
    request(url, { method: "POST", headers, agent }, resolve).on("error", reject).end(JSON.stringify(body));
  });
}

function messageOf(index: number, text: string): object {
  return { id: `m${index}`, role: index % 2 === 0 ? "user" : "assistant", parts: [{ type: "text", text }] };
}

/** The messages that a client sends: a single one, or a chat whose earlier messages have `inputBytes` in total. */
function messagesOf(inputBytes: number): object[] {
  const messages: object[] = [];
  for (let length = 0; length < inputBytes || messages.length % 2 === 1;) {
    const index = messages.length;
    const message = messageOf(index, `${index}: ${"where shall we go next, and when? ".repeat(6)}`);
    length += JSON.stringify(message).length + 1;
    messages.push(message);
  }
  return [...messages, messageOf(messages.length, "Book me a flight")];
}

/** One chat whose tool waits for an answer. */
export interface PausedStream {
  /** Answers the request and reads the stream to its end. Rejects if the turn continues with another answer. */
  resume(city: string): Promise<{ latencyMs: number }>;
}

/** Sends a message and resolves when the tool waits for the user. */
export async function openPaused(
  url: string,
  index: number,
  { hasRequests, inputBytes = 0 }: { hasRequests: boolean; inputBytes?: number | undefined },
): Promise<PausedStream> {
  const user = `u${index}`;
  const id = `c${index}`;
  const messages = messagesOf(inputBytes);
  const response = await post(`${url}/run/api/chat`, user, { id, messages }, streams);
  let text = "";
  let wake: (() => void) | undefined;
  let isEnded = false;
  response.setEncoding("utf8");
  response.on("data", (piece: string) => {
    text += piece;
    wake?.();
  });
  response.on("close", () => {
    isEnded = true;
    wake?.();
  });

  async function until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (isEnded)
        throw new Error(`stream ${index} (${response.statusCode}) has ended after: ${text.slice(-300)}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  // The baseline has no requests: the client sees only the tool call.
  const elicitationId = await until(() =>
    text.includes('"tool-input-available"')
      ? (/"elicitationId":"([\w-]+)"/.exec(text)?.[1] ?? (hasRequests ? undefined : "none"))
      : undefined,
  );

  return {
    async resume(city) {
      const before = text.length;
      const start = performance.now();
      const answer = { conversationId: id, elicitationId, action: "accept", content: { city } };
      const received = post(`${url}/run/api/elicitation-responses`, user, answer, answers).then(discard);
      await until(() => (text.length > before ? true : undefined));
      const latencyMs = performance.now() - start;
      await received;
      const output = await until(() => /"output":"([^"]*)"/.exec(text)?.[1]);
      if (output !== `Booked: ${city}`)
        throw new Error(`stream ${index} was given another answer: ${output}`);
      await until(() => (text.includes("[DONE]") ? true : undefined));
      return { latencyMs };
    },
  };
}

function discard(response: IncomingMessage): Promise<void> {
  response.resume();
  return new Promise((resolve) => {
    response.on("end", resolve);
  });
}
