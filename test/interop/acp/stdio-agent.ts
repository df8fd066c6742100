/** The process of the stdio test: an agent that asks for a form and a page, and reports both outcomes. */
import { serveAcpStdio } from "../../../docs/examples/acp-stdio.ts";

serveAcpStdio(async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  const [form, page] = await Promise.all([
    turn.ask({
      mode: "form",
      message: "Where to?",
      tool: { id: "trip", name: "trip" },
      requestedSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    }),
    turn.ask({
      mode: "url",
      message: "Pay.",
      url: "https://pay.example.com/1",
      tool: { id: "pay", name: "pay" },
    }),
  ]);
  yield { type: "text-start", id: "t" };
  yield { type: "text-delta", id: "t", delta: JSON.stringify({ form, page }) };
  yield { type: "text-end", id: "t" };
  yield { type: "finish" };
});
