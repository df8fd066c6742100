/** `elicit-kit/slack/bolt`: the Slack surface inside an app that is built with Bolt. Needs `@slack/bolt`: `npm install @slack/bolt`. */
import type { AnyMiddlewareArgs, Middleware } from "@slack/bolt";
import { type SlackSurface, payloadOf } from "../index.ts";

/**
 * The surface as a global middleware of Bolt: `app.use(elicitation(surface))`, before your listeners. Bolt checks the
 * signature and finds the token of the request; the surface needs its own `signingSecret` only for its `fetch`.
 * Interactions of the kit's messages and modals, and the slash commands of its `commands`, stop here. Everything else
 * continues to your listeners, and so do events after the surface has processed them.
 */
export function elicitation(surface: Pick<SlackSurface, "handle">): Middleware<AnyMiddlewareArgs> {
  return async (args) => {
    const payload = payloadOf(args.body);
    const reply = payload && (await surface.handle(payload));
    if (payload === undefined || payload.kind === "event" || reply === undefined) return args.next();
    const isEmpty = Object.keys(reply).length === 0;
    if (hasAck(args)) await args.ack(isEmpty ? undefined : reply);
  };
}

/** The argument of Bolt's `ack` depends on the interaction; the surface passes the matching one. */
function hasAck(args: object): args is { ack: (reply?: object) => Promise<void> } {
  return "ack" in args && typeof args.ack === "function";
}
