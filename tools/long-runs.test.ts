import { expect, it } from "vitest";
import { withRuns } from "./long-runs.mjs";

const run = { part: "chaos", date: "2026-11-29", commit: "9ad4069f", result: "passed", time: "12 min" };

it("the page of long runs keeps the rows of other parts, and replaces the row of a part that ran again", () => {
  const first = withRuns("", ["chaos", "mcp"], [{ ...run, result: "**failed**" }]);
  expect(first).toContain(
    "| `chaos` | 2026-11-29 | 9ad4069f | **failed** | 12 min |\n| `mcp` | – | – | not recorded | – |\n",
  );
  const second = withRuns(first, ["mcp", "chaos"], [run]);
  expect(second).toContain(
    "| `mcp` | – | – | not recorded | – |\n| `chaos` | 2026-11-29 | 9ad4069f | passed | 12 min |\n",
  );
  expect(second).not.toContain("failed");
});

it("the page of long runs drops a part that no longer exists", () => {
  expect(withRuns(withRuns("", ["chaos"], [run]), ["mcp"], [])).not.toContain("chaos");
});
