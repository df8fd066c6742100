import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Runtime } from "elicit-kit/runtime";
import { type SlackSurface, createSlackSurface } from "elicit-kit/slack";
import { type FakePerson, createFakeSlack } from "elicit-kit/slack/testing";
import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { streamSSE } from "hono/streaming";
import { type Accounts, COLLEAGUES, onlyJson } from "../server/accounts.ts";
import { type Served, serve } from "../server/ports.ts";
import { readAct } from "./act.ts";
import type { SlackState } from "./state.ts";

export interface SlackDemoOptions {
  runtime: Runtime;
  accounts: Accounts;
  port: number;
  env: Readonly<Record<string, string | undefined>>;
  onError: (error: unknown) => void;
}

type Colleague = (typeof COLLEAGUES)[number];

export interface SlackDemo extends Served {
  /** Name for the list of servers that the demo prints. */
  what: string;
}

/**
 * The demo's agent in Slack. By default it uses a fake Slack with a page that looks like a thread. With
 * `SLACK_BOT_TOKEN`, `SLACK_SIGNING_SECRET` and `SLACK_USER` (the Slack id of the user alice) it uses the real Slack,
 * which must be able to reach the printed URL.
 */
export async function startSlack(options: SlackDemoOptions): Promise<SlackDemo> {
  const { runtime, port, env, onError } = options;
  const { SLACK_BOT_TOKEN: token, SLACK_SIGNING_SECRET: signingSecret, SLACK_USER: slackUser } = env;
  if (token === undefined || signingSecret === undefined || slackUser === undefined)
    return startFake(options);
  const surface = createSlackSurface({
    runtime,
    token,
    signingSecret,
    userOf: ({ user }) => (user === slackUser ? { id: COLLEAGUES[0] } : undefined),
    onError,
  });
  const served = await serve({
    name: "slack",
    host: "localhost",
    port,
    behindTunnel: true,
    handle: () => surface.fetch,
  });
  return { ...served, what: "the requests of your Slack app go here, through a tunnel" };
}

async function startFake({ runtime, accounts, port, onError }: SlackDemoOptions): Promise<SlackDemo> {
  const slack = createFakeSlack({ app: (request) => surface.fetch(request) });
  const people: Readonly<Record<Colleague, FakePerson>> = {
    alice: slack.person({ name: "Alice" }),
    bob: slack.person({ name: "Bob" }),
  };
  const userIdOf = (slackId: string): Colleague | undefined =>
    COLLEAGUES.find((user) => people[user].id === slackId);
  const surface: SlackSurface = createSlackSurface({
    runtime,
    token: slack.token,
    signingSecret: slack.signingSecret,
    userOf({ user }) {
      const id = userIdOf(user);
      return id && { id, account: id };
    },
    isAgent: true,
    fetch: slack.fetch,
    onError,
  });
  const ops = slack.channel({ name: "ops", members: Object.values(people) });

  async function personOf(c: Context): Promise<FakePerson> {
    const identity = await accounts.authenticate(c.req.raw);
    return people[COLLEAGUES.find((user) => user === identity?.userId) ?? COLLEAGUES[0]];
  }

  function stateFor(person: FakePerson): SlackState {
    const messages = slack.messages(ops);
    return {
      me: person.id,
      people: Object.values(people).map(({ id, name }) => ({ id, name })),
      app: slack.workspace.bot,
      messages,
      working: messages
        .filter(({ threadTs }) => threadTs === undefined)
        .flatMap(({ ts }) => (slack.session(ops, ts) === "processing" ? [ts] : [])),
      ephemerals: slack.ephemerals.filter(({ user }) => user === person.id),
      view: person.view(),
      failures: slack.failures.map(({ reason }) => reason),
    };
  }

  const app = new Hono()
    .use(
      secureHeaders({
        contentSecurityPolicy: {
          defaultSrc: ["'self'"],
          imgSrc: ["'self'", "data:"],
          frameAncestors: ["'none'"],
        },
        strictTransportSecurity: false,
      }),
    )
    .route("/", accounts.sessionRoutes())
    .get("/state", async (c) => c.json(stateFor(await personOf(c))))
    .get("/changes", (c) =>
      streamSSE(c, async (stream) => {
        const stop = slack.onChange(() => void stream.writeSSE({ data: "changed" }));
        await new Promise<void>((resolve) => stream.onAbort(resolve));
        stop();
      }),
    )
    .post("/act", onlyJson, async (c) => {
      const act = readAct(await c.req.json().catch(() => undefined));
      if (act === undefined) return c.text("There is no such action.", 400);
      const person = await personOf(c);
      try {
        return c.json({ result: await perform(act, person) });
      } catch (error) {
        return c.json({ refused: error instanceof Error ? error.message : "It failed." });
      }
    })
    .use(serveStatic({ root: fileURLToPath(new URL("../../dist-demo-slack", import.meta.url)) }));

  async function perform(act: NonNullable<ReturnType<typeof readAct>>, person: FakePerson): Promise<unknown> {
    switch (act.do) {
      case "say":
        await person.say(
          ops,
          `${slack.mention} ${act.text}`,
          act.thread === undefined ? {} : { thread: act.thread },
        );
        return undefined;
      case "press": {
        const shown =
          act.ts === undefined ? person.view() : slack.messages(ops).find(({ ts }) => ts === act.ts);
        return shown && person.press(shown, act.button);
      }
      case "enter":
        return person.enter({ [act.label]: act.entry });
      case "search":
        return person.search(act.label, act.query);
      case "submit":
        return submit(person);
      case "close":
        return person.close();
      default:
        return person.stop(ops, act.thread);
    }
  }

  /** Shows errors of Slack's own client beside the inputs. */
  async function submit(person: FakePerson): Promise<unknown> {
    try {
      return await person.submit();
    } catch (error) {
      if (Object.keys(person.view()?.errors ?? {}).length === 0) throw error;
      return undefined;
    }
  }

  const served = await serve({
    name: "slack",
    host: "localhost",
    port,
    handle: () => (request) => app.fetch(request),
  });
  return { ...served, what: "open it: a Slack in memory, with the agent in a channel" };
}
