import { expect, test } from "vitest";
import { isStoreAway } from "../../../src/base/foreign-error.ts";
import { explained, isPassing, ofConnection } from "./failures.ts";

/** An error of PostgreSQL, or of the system. */
const failure = (code: string, routine?: string) => Object.assign(new Error("refused"), { code, routine });

test.each([
  ["21000", "a subquery with several rows"],
  ["22001", "a text that is too long"],
  ["22P05", "a character that cannot be stored"],
  ["23505", "a row that exists"],
  ["54000", "a statement beyond a limit of PostgreSQL"],
])("an error about the data (%s, %s) is not tried again, and ends what caused it", (code) => {
  expect(isPassing(failure(code))).toBe(false);
  expect(isStoreAway(explained(failure(code)))).toBe(false);
});

test.each([
  ["08006", "a lost connection"],
  ["25006", "a read-only session"],
  ["25P03", "an idle transaction"],
  ["26000", "a prepared statement of another session"],
  ["40001", "a conflict of transactions"],
  ["40P01", "a deadlock"],
  ["53100", "a full disk"],
  ["53300", "too many connections"],
  ["55P03", "a lock that others hold"],
  ["57014", "statement_timeout"],
  ["57P01", "a shutdown"],
  ["57P05", "an idle session"],
  ["58030", "a disk that cannot be read"],
  ["XX000", "a fault of PostgreSQL"],
  ["99999", "a class of a later version"],
  ["ECONNREFUSED", "a server that does not run"],
])("an error that may pass (%s, %s) is tried again, and ends no turn", (code) => {
  expect(isPassing(failure(code))).toBe(true);
  expect(isStoreAway(explained(failure(code)))).toBe(true);
});

test.each([
  ["28P01", "a wrong password"],
  ["3D000", "a missing database"],
  ["42501", "a missing right"],
  ["42P01", "a missing table"],
  ["ENOTFOUND", "a wrong host"],
])("an error that somebody has to repair (%s, %s) is not tried again at once, and ends no turn", (code) => {
  expect(isPassing(failure(code))).toBe(false);
  expect(isStoreAway(explained(failure(code)))).toBe(true);
});

test("a full NOTIFY queue ends no turn, although its code is that of a limit", () => {
  const full = failure("54000", "PreCommit_Notify");
  expect([isPassing(full), isStoreAway(explained(full))]).toEqual([true, true]);
});

test.each([
  "Connection terminated unexpectedly",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
  "Client was closed and is not queryable",
  "Received unexpected commandComplete message from backend.",
  "The service of the token does not reply.",
])("an error of a connection without a code (%j) is tried again, and ends no turn", (message) => {
  const error = ofConnection(new Error(message));
  expect([isPassing(error), isStoreAway(explained(error))]).toEqual([true, true]);
  expect(String(explained(error))).toBe("Error: elicit-kit: the connection to PostgreSQL was lost.");
});

test.each([
  ["SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string", /another password/],
  ["The server does not support SSL connections", /no encrypted connection/],
  ["Cannot use a pool after calling end on the pool", /was lost/],
])(
  "an error of a connection that lasts (%j) is not tried again at once, and ends no turn",
  (message, words) => {
    const error = ofConnection(new Error(message));
    expect([isPassing(error), isStoreAway(explained(error))]).toEqual([false, true]);
    expect(String(explained(error))).toMatch(words);
  },
);

test("an error of other code stays as it is", () => {
  const error = new Error("The user has stopped it.");
  expect([isPassing(error), explained(error)]).toEqual([false, error]);
});
