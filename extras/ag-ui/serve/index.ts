/** `elicit-kit/ag-ui/server`: serves the agent of a runtime as an AG-UI endpoint. */
export { type AgUiSurface, createAgUiSurface } from "./surface.ts";
