import { Elicitations } from "elicit-kit";
import { createElicitationClient, createHttpChannel, readSseData } from "elicit-kit/client";
import { parseElicitationRequest } from "elicit-kit/contract";
import { useState } from "react";

/** A chat that reads the runtime's stream itself. `api` is the path of the runtime, such as `/run/api`. */
export function PlainChat({ api, conversationId }: { api: string; conversationId: string }) {
  const [answer, setAnswer] = useState("");
  const [{ channel, client }] = useState(() => {
    const made = createHttpChannel({ api });
    return { channel: made, client: createElicitationClient({ channel: made }) };
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
    if (!response.ok || response.body === null) throw new Error(`The chat answered ${response.status}.`);
    // While a stream is open it brings the end of requests, and the client need not poll.
    channel.push({ type: "live", conversationId, live: true });
    try {
      for await (const data of readSseData(response.body)) {
        if (data === "[DONE]") break;
        const event = JSON.parse(data);
        if (event.type === "text-delta") setAnswer((before) => before + event.delta);
        if (event.type !== "data-elicitation-request") continue;
        const request = parseElicitationRequest(event.data);
        if (request.ok) channel.push({ type: "request", conversationId, request: request.value });
      }
    } finally {
      channel.push({ type: "live", conversationId, live: false });
    }
  }

  return (
    <>
      <button onClick={() => void send("Book a hotel.")}>Book a hotel</button>
      <p>{answer}</p>
      <Elicitations client={client} conversationId={conversationId} />
    </>
  );
}
