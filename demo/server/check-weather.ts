import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "ai";
import { z } from "zod";

/** Work that takes a while and needs no answer of the user. */
export const checkWeather = tool({
  description: "Looks up the weather of the next days.",
  inputSchema: z.object({}),
  async execute(_input, { abortSignal }) {
    await sleep(3000, undefined, { signal: abortSignal });
    return "18 °C, ☀";
  },
});
