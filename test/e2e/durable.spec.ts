import { ChatPage } from "./chat-page.ts";
import { type Demo, expect, test } from "./demo.ts";

test.use({
  demoEnv: { DURABLE: "1" },
  // A connection to the process that is killed breaks, and the chat attaches again.
  expectedInConsole: /net::ERR_\w+/,
});

/** Ids of the demo's processes, by their numbers. */
function pids(demo: Demo): Map<string, number> {
  const found = demo.output().matchAll(/process (\d) .*kill -9 (\d+)/g);
  return new Map([...found].map(([, number = "", pid]) => [number, Number(pid)]));
}

/** The number of the process that runs the newest turn, once one does. */
async function whoRuns(demo: Demo): Promise<string> {
  const said = () => [...demo.output().matchAll(/process (\d) runs a turn/g)].at(-1)?.[1];
  await expect.poll(said).toBeDefined();
  return said() ?? "";
}

test("a card is answered after another process than its own was killed, and the message goes on", async ({
  page,
  demo,
}) => {
  const chat = new ChatPage(page, demo);
  await chat.open();
  await chat.say("Book me a flight");
  await expect(chat.formCards).toBeVisible();
  const here = await whoRuns(demo);
  const [other] = [...pids(demo)].filter(([number]) => number !== here);
  process.kill(other![1], "SIGKILL");
  await expect.poll(() => demo.output()).toContain(`process ${other![0]} has ended`);
  await chat.fillFlight("Oslo", "2030-05-01");
  await expect(chat.log).toContainText("Oslo");
  await expect(chat.turn).toContainText("Done");
});
