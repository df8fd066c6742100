/** `elicit-kit/runtime/surface`: for authors of a surface, which is another protocol through which users reach an agent. */
export type { Surface, SurfaceTurn } from "../turn/surface.ts";
export { eventOf, wantsAnswer } from "../turn/turn-log.ts";
export { type TurnPause, untilBlocked } from "./until-blocked.ts";
