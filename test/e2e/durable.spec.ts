import { ChatPage } from "./chat-page.ts";
import { type Demo, expect, test } from "./demo.ts";

test.use({
  demoEnv: { DURABLE: "1" },
  // The connections to a killed process break, and while there is none the proxy reports that. The chat retries.
  expectedInConsole: /net::ERR_\w+|status of 503|blocked by CORS policy/,
});

/** The ids of the demo's processes, by their numbers. */
function pids(demo: Demo): Map<string, number> {
  const found = demo.output().matchAll(/process (\d) .*kill -9 (\d+)/g);
  return new Map([...found].map(([, number = "", pid]) => [number, Number(pid)]));
}

/** The number of the process that runs the newest turn, once there is one. */
async function whoRuns(demo: Demo): Promise<string> {
  const said = () => [...demo.output().matchAll(/process (\d) runs a turn/g)].at(-1)?.[1];
  await expect.poll(said).toBeDefined();
  return said() ?? "";
}

test("when processes are killed while a card waits, its answer finishes the turn in the same message of the open page", async ({
  page,
  demo,
}) => {
  test.setTimeout(120_000);
  const chat = new ChatPage(page, demo);
  await chat.open();

  await chat.say("Book me a flight");
  await expect(chat.formCards).toBeVisible();
  const here = await whoRuns(demo);
  process.kill(pids(demo).get(here) ?? 0, "SIGKILL");
  await expect.poll(() => demo.output()).toContain(`process ${here} has ended`);
  await chat.fillFlight("Oslo", "2099-05-01");
  await expect(chat.log).toContainText("Done: Flight to Oslo");
  await expect(chat.turn).toContainText("Done");
  await expect.poll(() => whoRuns(demo)).not.toBe(here);
  demo.type(here);
  await expect.poll(() => demo.output()).toContain(`process ${here} runs again`);

  // All of them, as at a restart.
  await chat.say("Book me a flight");
  const card = chat.formCards.last();
  await expect(card.getByLabel("Destination")).toBeVisible();
  await card.getByLabel("Destination").fill("Rome");
  for (const number of pids(demo).keys()) demo.type(number);
  for (const number of pids(demo).keys())
    await expect.poll(() => demo.output().split(`process ${number} has ended`).length).toBeGreaterThan(1);
  for (const number of pids(demo).keys()) demo.type(number);
  await chat.fillFlight("Rome", "2099-05-01", card);
  await expect(chat.log).toContainText("Done: Flight to Rome");
  await expect(chat.turn).toContainText("Done");
  await expect(page.getByRole("alert")).toHaveCount(0);
});
