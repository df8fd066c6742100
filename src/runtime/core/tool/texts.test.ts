import { expect, test } from "vitest";
import type { ElicitationResult } from "../index.ts";
import { connectionRefusedText, informationRefusedText } from "./texts.ts";

type Refusal = Exclude<ElicitationResult, { outcome: "accepted" }>;

/** The exact texts of sections 2 and 5 of the contract: models and other servers rely on them. */
const TEXTS: readonly [Refusal, string, string][] = [
  [
    { outcome: "unsupported" },
    'Authentication required but not provided. Tool "create_issue" requires user authentication: the user needs to connect their Tracker account before this tool can be used. Do not retry this tool.',
    'Tool "create_issue" needs information only the user has: Destination, nights. Ask for it in your answer, or go on with defaults where they exist. Do not guess.',
  ],
  [
    { outcome: "declined" },
    "Authentication required but not provided: the user declined to connect Tracker. Do not ask again in this turn; say what is missing and how to connect it.",
    "The information was not provided: the user declined to give it. Do not ask again in this turn; say what is missing.",
  ],
  [
    { outcome: "cancelled" },
    "Authentication required but not provided: the user dismissed the request without deciding. Do not ask again in this turn; you may offer it later.",
    "The information was not provided: the user dismissed the request without deciding. Do not ask again in this turn; you may offer it later.",
  ],
  [
    { outcome: "expired", afterMs: 600_000 },
    "Authentication required but not provided: nobody answered within 10 minutes.",
    "The information was not provided: nobody answered within 10 minutes.",
  ],
  [
    { outcome: "withdrawn" },
    "Authentication required but not provided: the request was withdrawn.",
    "The information was not provided: the request was withdrawn.",
  ],
  [
    { outcome: "failed", reason: "the connection could not be stored" },
    "Authentication required but not provided: connecting Tracker failed (the connection could not be stored).",
    "The information was not provided: asking for it failed (the connection could not be stored).",
  ],
];

test.each(TEXTS)("the model reads of $outcome what the contract says", (refusal, connection, information) => {
  expect(connectionRefusedText(refusal, { tool: "create_issue", service: "Tracker" })).toBe(connection);
  const requestedSchema = {
    type: "object" as const,
    properties: { city: { type: "string", title: "Destination" }, nights: { type: "integer" } },
  };
  expect(informationRefusedText(refusal, { tool: "create_issue", requestedSchema })).toBe(information);
});
