import { Elicitations } from "elicit-kit";
import { createElicitation } from "elicit-kit/ai-sdk";
import { useState } from "react";

/** A chat that reads the runtime's stream itself. `api` is the path of the runtime, such as `/run/api`. */
export function PlainChat({ api, conversationId }: { api: string; conversationId: string }) {
  const [answer, setAnswer] = useState("");
  const [client] = useState(() => createElicitation({ api }));

  async function send(text: string): Promise<void> {
    const response = await fetch(`${api}/chat`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-supports-elicitation": "true" },
      body: JSON.stringify({
        conversationId,
        messages: [{ id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] }],
      }),
    });
    for await (const chunk of client.read(conversationId, response)) {
      if (chunk.type === "text-delta") setAnswer((before) => before + String(chunk["delta"]));
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
