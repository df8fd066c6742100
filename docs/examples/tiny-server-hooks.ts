// Tells the conformance suite how to use tiny-server.ts: npx elicit-kit conformance http://127.0.0.1:8000/run/api --hooks
// ./tiny-server-hooks.ts
import type { ConformanceHooks } from "elicit-kit/conformance";

export default {
  people: [{ headers: { authorization: "Bearer anna" } }, { headers: { authorization: "Bearer ben" } }],
  form: {
    message: "Book a hotel.",
    fits: { city: "Lisbon", nights: 3 },
    alsoFits: { city: "Porto", nights: 2 },
    misfits: { city: "Lisbon", nights: 99 },
  },
} satisfies ConformanceHooks;
