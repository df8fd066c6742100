/** The process of the travel agent, started by `travel-process.ts`. Its argument is the preferred port. */
import { startTravelAgent } from "./travel-agent.ts";

// Ctrl-C in the terminal reaches all processes: this one ends with the one that started it.
process.on("SIGINT", () => {});
process.once("disconnect", () => process.exit());

const { origin } = await startTravelAgent({
  port: Number(process.argv[2]),
  onError: (error) => console.error("elicit-kit demo, travel agent:", error),
});
process.send?.(origin);
