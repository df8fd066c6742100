/** The log of a server omits the message of an error that is not a `KitError`. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SERVERS =
  "{src/{runtime,agent,connect,node,mcp,a2a},extras/{a2a,acp,ag-ui,durable,dbos,mcp-server,openai,postgres,slack}}/**/*.ts";

test("every error that a server of the kit throws is a KitError, so that the log has its message", () => {
  const files = globSync(SERVERS).filter((path) => !/\.test\.ts$|\/testing\//.test(path));
  expect(files.length).toBeGreaterThan(100);
  const plain = files.filter((path) => /new Error\(\s*["'`]elicit-kit: /.test(readFileSync(path, "utf8")));
  expect(plain).toEqual([]);
});
