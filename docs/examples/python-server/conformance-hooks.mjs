// Tells the conformance suite how to use this server. Start the server with --test-controls, then run
// SERVER=http://127.0.0.1:8000 npx elicit-kit conformance http://127.0.0.1:8000/run/api --hooks ./conformance-hooks.mjs

const server = process.env.SERVER ?? "http://127.0.0.1:8000";

async function control(action, elicitationId, text = "") {
  const response = await fetch(`${server}/test/${action}/${elicitationId}`, { method: "POST", body: text });
  if (!response.ok) throw new Error(`start the server with --test-controls (${response.status})`);
}

/** @type {import("elicit-kit/conformance").ConformanceHooks} */
export default {
  people: [
    { headers: { authorization: "Bearer anna" }, userId: "anna" },
    { headers: { authorization: "Bearer ben" }, userId: "ben" },
  ],
  connect: "Create an issue.",
  consent: "Pay the invoice.",
  form: {
    message: "Book a hotel.",
    fits: { city: "Lisbon", nights: 3 },
    alsoFits: { city: "Porto", nights: 2 },
    misfits: { city: "Lisbon", nights: 99 },
  },
  two: "Plan a trip.",
  again: "Try twice.",
  expiring: { message: "Hurry.", afterMs: 300 },
  completeOutside: (elicitationId) => control("complete", elicitationId),
  failOutside: (elicitationId, lastError) => control("fail", elicitationId, lastError),
  binding: true,
  cookie: {
    headers: { cookie: "session=anna" },
    allowedOrigin: "https://chat.example.com",
    foreignOrigin: "https://evil.example",
  },
  writesPerMinute: Number(process.env.WRITES_PER_MINUTE ?? 60),
  completions: { url: `${server}/run/v1/chat/completions`, jsonMessage: "Print a request." },
};
