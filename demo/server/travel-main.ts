/** The process of the travel agent, which `travel-process.ts` starts. Its argument is the preferred port. */
import { startTravelAgent } from "./travel-agent.ts";

// Ctrl-C in the terminal reaches all processes. This process ends when its parent ends.
process.on("SIGINT", () => {});
process.once("disconnect", () => process.exit());

const { origin } = await startTravelAgent({
  port: Number(process.argv[2]),
  onError: (error) => console.error("elicit-kit demo, travel agent:", error),
});
process.send?.(origin);
