/**
 * `elicit-kit/a2a/server`: serves the agent of a runtime as an A2A agent. Needs `@a2a-js/sdk`: `npm install @a2a-js/sdk`.
 */
export { type A2aSurface, createA2aSurface } from "./surface.ts";
