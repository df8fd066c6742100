import { expect, it } from "vitest";
import { type RuntimeOptions, createMemoryRecords, createRuntime } from "./index.ts";

/** What each option decides. */
const OPTIONS: Record<keyof RuntimeOptions, string> = {
  runTurn: "the agent",
  authenticate: "who sends a request",
  allowedOrigins: "where chats are",
  basePath: "where the routes are",
  formats: "which other chats it serves",
  ports: "where its state is",
  answerKey: "the secret",
  timeToAnswer: "how long users may take",
  limits: "how much it accepts from a user",
  platform: "what proxies and functions need",
  hostedPage: "where pages for users are",
  isCompleted: "whether a page has reached its goal",
  accounts: "where receipts read the rights of an account",
  assign: "who may decide in place of the user",
  beforeAsk: "which questions a rule decides",
  notices: "how users learn that a request waits",
  proposeAnswer: "how a sentence fills in a form",
  onTurnEnd: "where the history is",
  telemetry: "where its figures go",
  onError: "where its errors go",
};

it("ports and former options that are spread into the options are refused, because they would be ignored", () => {
  const ports = { records: createMemoryRecords() };
  const former = { maxOpen: {}, writesPerMinute: 5 };
  const options = { authenticate: () => undefined, allowedOrigins: [], onError() {} };
  expect(() => createRuntime({ ...options, ...ports, ...former })).toThrow(
    "elicit-kit: createRuntime has no option `records`, `maxOpen`, `writesPerMinute`. Ports go into `ports`,",
  );
  expect(() => createRuntime({ ...options, ports, limits: undefined })).not.toThrow();
});

it("an application decides at most 20 things when it creates a runtime", () => {
  expect(Object.keys(OPTIONS).length).toBeLessThanOrEqual(20);
});
