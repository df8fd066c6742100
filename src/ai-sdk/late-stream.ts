import { createLate, type Late } from "../client/late.ts";

type StreamCode = typeof import("./stream.ts");

/** What reads the stream of a turn: apart from the first load, because a page reads none before its first message. */
export const lateStream: Late<StreamCode> = /* @__PURE__ */ createLate(() => import("./stream.ts"));

/** Loads the code. Throws if that fails. */
export async function loadStreamCode(): Promise<StreamCode> {
  await lateStream.load();
  const code = lateStream.now();
  if (typeof code === "object") return code;
  throw new Error(
    "elicit-kit: the code that reads the agent's reply could not be loaded. Send the message again when the network is back.",
  );
}
