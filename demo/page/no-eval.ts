import { config } from "zod/mini";

// The AI SDK checks messages with Zod, which tries out whether it may make code from strings. The page's content security
// policy says no, and the browser writes an error to the console for having been asked. Zod asks while the AI SDK is
// loaded, so index.html has this script first.
config({ jitless: true });
