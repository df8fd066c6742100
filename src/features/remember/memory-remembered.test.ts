import { expect, test } from "vitest";
import { createMemoryRemembered } from "./memory-remembered.ts";

test("long answers of many users do not fill the memory: the users who have waited longest are forgotten", async () => {
  const remembered = createMemoryRemembered();
  const said: [string, string] = ["Notes", "x".repeat(1_000_000)];
  const answer = {
    key: "k",
    tool: { id: "t", name: "t" },
    message: "Which notes?",
    content: { notes: "x" },
    said: [said],
    rememberedAt: 0,
    expiresAt: 1,
  };
  const users = Array.from({ length: 40 }, (_, index) => `user-${index}`);
  for (const user of users) await remembered.put(user, { ...answer });
  // The same answer again takes no more space.
  for (let count = 0; count < 40; count += 1) await remembered.put("user-39", { ...answer });
  const kept: string[] = [];
  for (const user of users) if ((await remembered.list(user)).length > 0) kept.push(user);
  expect([kept[0], kept.at(-1), kept.length]).toEqual(["user-9", "user-39", 31]);
});
