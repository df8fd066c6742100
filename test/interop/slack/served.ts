import type { AddressInfo } from "node:net";
import { App, LogLevel } from "@slack/bolt";
import { onTestFinished } from "vitest";
import { type FakeSlack, createFakeSlack } from "elicit-kit/slack/testing";
import type { FakeSlackOptions } from "../../../extras/slack/testing/fake-slack.ts";
import { serve } from "elicit-kit/node";

/** The fake Slack on a port, for clients that take only an address. */
async function served(slack: FakeSlack): Promise<string> {
  const { url, close } = await serve({ fetch: slack.fetch });
  onTestFinished(close);
  return `${url}/api/`;
}

/**
 * A fake Slack whose app is built with Bolt and listens on a port. `configure` gets the app before it starts; `see` gets a
 * copy of each request that the app is sent.
 */
export async function withBolt(
  configure: (app: App, slack: FakeSlack, apiUrl: string) => void,
  { see, ...options }: Partial<FakeSlackOptions> & { see?: (sent: Request) => Promise<void> } = {},
) {
  let address = "";
  const slack = createFakeSlack({
    ...options,
    app: async (request) => {
      await see?.(request.clone());
      return fetch(new Request(address, request));
    },
  });
  const apiUrl = await served(slack);
  const app = new App({
    token: slack.token,
    signingSecret: slack.signingSecret,
    clientOptions: { slackApiUrl: apiUrl },
    logLevel: LogLevel.ERROR,
  });
  configure(app, slack, apiUrl);
  const server = await app.start(0);
  onTestFinished(async () => void (await app.stop()));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`;
  const ada = slack.person({ name: "Ada" });
  const bob = slack.person({ name: "Bob" });
  const ops = slack.channel({ name: "ops", members: [ada, bob] });
  return { slack, app, apiUrl, ada, bob, ops, address };
}
