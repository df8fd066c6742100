import type { ConformanceHooks } from "elicit-kit/conformance";

const server = process.env["SERVER"];

export default {
  people: [
    { headers: { authorization: "Bearer anna" }, userId: "anna" },
    { headers: { authorization: "Bearer ben" }, userId: "ben" },
  ],
  // The messages that make the agent ask.
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
  assigned: "Pay for the team day.",
  delegable: "Surprise me.",
  background: "Book meanwhile.",
  review: { message: "Write to Ben.", edited: { text: "Lunch at one?" } },
  expiring: { message: "Hurry.", afterMs: 300 },
  // Events outside the chat: routes that only the test setup of the server has.
  async completeOutside(id) {
    await fetch(`${server}/test/complete/${id}`, { method: "POST" });
  },
  async failOutside(id, lastError) {
    await fetch(`${server}/test/fail/${id}`, { method: "POST", body: lastError });
  },
  // The setup of the server under test.
  keepAliveMs: 40,
  writesPerMinute: 600,
  binding: true,
  cookie: {
    headers: { cookie: "session=anna" },
    allowedOrigin: "https://chat.example.com",
    foreignOrigin: "https://evil.example",
  },
  completions: { url: `${server}/run/v1/chat/completions`, jsonMessage: "Print a request." },
} satisfies ConformanceHooks;
