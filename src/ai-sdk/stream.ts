/** What a chat loads with its first message, or when its page is idle: see `late-stream.ts`. */
export { chunksOf, refusalOf } from "./chunks-of.ts";
export { hardenStream } from "./hardened-stream.ts";
export { createReattach } from "./reattach.ts";
