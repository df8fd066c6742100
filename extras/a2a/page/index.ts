/**
 * `elicit-kit/a2a`: a page or an app that is the client of an A2A agent shows the agent's questions. Needs `@a2a-js/sdk`:
 * `npm install @a2a-js/sdk`.
 */
export { type A2aChannel, createA2aChannel } from "./channel.ts";
