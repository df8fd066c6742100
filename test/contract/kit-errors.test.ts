/** The log of a server leaves out the message of an error that is no `KitError`. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SERVERS = "src/{runtime,agent,connect,durable,hosts,protocols}/**/*.ts";

test("what a server throws with words of the kit is a KitError, so that the log has the words", () => {
  const files = globSync(SERVERS).filter((path) => !/\.test\.ts$|\/testing\//.test(path));
  expect(files.length).toBeGreaterThan(100);
  const plain = files.filter((path) => /new Error\(\s*["'`]elicit-kit: /.test(readFileSync(path, "utf8")));
  expect(plain).toEqual([]);
});
