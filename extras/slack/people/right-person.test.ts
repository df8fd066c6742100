import { expect, test } from "vitest";
import { type SlackPerson, authorOf, mayPress, personOfClaims, presserOf } from "./right-person.ts";

const ADA: SlackPerson = { user: "UADA", team: "T1" };
const IN_GRID: SlackPerson = { user: "UADA", team: "T1", enterprise: "E1" };

test.each<[string, SlackPerson, SlackPerson, string]>([
  ["the person who was asked", ADA, ADA, "yes"],
  ["a colleague", { user: "UBOB", team: "T1" }, ADA, "other-person"],
  ["another person with the same id in another workspace", { user: "UADA", team: "T2" }, ADA, "other-team"],
  [
    "the person, with another workspace of the organisation in the payload",
    { user: "UADA", team: "T2", enterprise: "E1" },
    IN_GRID,
    "yes",
  ],
  [
    "the person, with the organisation instead of a workspace in the payload",
    { user: "UADA", team: "E1", enterprise: "E1" },
    IN_GRID,
    "yes",
  ],
  [
    "another person with the same id in another organisation",
    { user: "UADA", team: "T2", enterprise: "E2" },
    IN_GRID,
    "other-team",
  ],
  [
    "a colleague in the organisation",
    { user: "UBOB", team: "T1", enterprise: "E1" },
    IN_GRID,
    "other-person",
  ],
  [
    "a guest of Slack Connect who was asked",
    { user: "UEVE", team: "T9" },
    { user: "UEVE", team: "T9" },
    "yes",
  ],
  ["a guest of Slack Connect in place of the person", { user: "UADA", team: "T9" }, IN_GRID, "other-team"],
  ["a payload without a user", { user: "", team: "T1" }, { user: "", team: "T1" }, "other-person"],
  ["a payload without a workspace", { user: "UADA", team: "" }, { user: "UADA", team: "" }, "other-team"],
])("a click counts only from the user who is asked: %s", (_title, presser, asked, verdict) => {
  expect(mayPress(presser, asked)).toBe(verdict);
});

test("a Slack click and a Slack event give the same user id, in a workspace, in Enterprise Grid, and for a guest", () => {
  const click = (user: object, team: object | null, enterprise?: string) =>
    presserOf({ user, team, enterprise: enterprise === undefined ? null : { id: enterprise } });
  const event = (fields: object, envelope: object) => authorOf({ ...envelope }, { user: "UADA", ...fields });

  expect(click({ id: "UADA", team_id: "T1" }, { id: "T1" })).toEqual(ADA);
  expect(event({ team: "T1" }, { team_id: "T1" })).toEqual(ADA);
  expect(click({ id: "UADA", team_id: "T1" }, { id: "T1" }, "E1")).toEqual(IN_GRID);
  expect(event({ team: "T1" }, { team_id: "T1", enterprise_id: "E1" })).toEqual(IN_GRID);
  // In an org-wide installation there is no team, and nothing shows that the user is a member.
  expect(click({ id: "UADA", team_id: "T1" }, null, "E1")).toEqual(ADA);
  // The organisation of the payload is that of the host.
  expect(click({ id: "UADA", team_id: "T9" }, { id: "T1" }, "E1")).toEqual({ user: "UADA", team: "T9" });
  expect(event({ user_team: "T9", team: "T1" }, { team_id: "T1", enterprise_id: "E1" })).toEqual({
    user: "UADA",
    team: "T9",
  });
  expect(click({ id: "UADA" }, null)).toBeUndefined();
  expect(event({ user: undefined, bot_id: "B1" }, { team_id: "T1" })).toBeUndefined();
});

test("Sign in with Slack gives the same user id as a click, and no id without Slack's own claims", () => {
  const claims = { sub: "UADA", "https://slack.com/user_id": "UADA", "https://slack.com/team_id": "T1" };
  expect(personOfClaims({ ...claims, email: "ada@example.com" })).toEqual(ADA);
  expect(personOfClaims({ sub: "UADA", email: "ada@example.com" })).toBeUndefined();
  expect(personOfClaims({ ...claims, "https://slack.com/team_id": 1 })).toBeUndefined();
  expect(personOfClaims(undefined)).toBeUndefined();
});
