import { isObject } from "../../../src/contract/json.ts";
import { button, mention, section } from "../blocks/block.ts";
import { type SlackPlace, conversationOf, isStartedAfter, toRef } from "../people/place.ts";
import { installationOf, type SlackReply, type SlackBody, field, text } from "../wire/payload.ts";
import { type SlackPerson, authorOf } from "../people/right-person.ts";
import type { SurfaceContext } from "./surface-context.ts";
import { escapeMrkdwn, fallbackText, shorten } from "../blocks/text.ts";
import { type AgentMessage, earlierMessages, messageOf, plainWords } from "../thread/thread-messages.ts";
import type { SlackWords } from "../words/slack-words.ts";
import { SlackApiError, type SlackClient } from "../wire/web-client.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/** How long the log of an ended turn is kept: as long as Slack may send its event again. */
const KEEP_MS = 15 * 60_000;
/** The user waits for the turn to start, and Slack limits some apps to one read of a thread per minute. */
const HISTORY_WAIT_MS = 3000;
/** Messages of users. Other subtypes are edits, joins, and messages of bots. */
const WRITTEN = new Set([undefined, "file_share", "thread_broadcast"]);
const STOPPED = "The person has stopped the turn in Slack.";

/**
 * Handles an event: a mention or a direct message starts a turn, the stop button ends it. Rejects if Slack should send
 * the event again.
 */
export async function onEvent(context: SurfaceContext, body: SlackBody): Promise<void> {
  const { event } = body;
  if (!isObject(event)) return;
  const place = placeOf(body, event);
  if (place === undefined) return;
  if (event["type"] === "agent_session_stopped")
    return void (await stopTurn(context, place, text(event["event_ts"])));
  if (!isForApp(event)) return;
  const words = text(event["text"]) ?? "";
  const ts = text(event["ts"]) ?? place.thread;
  if (/^stop[.!]?$/i.test(plainWords(words, place.bot))) return sayStopped(context, place, ts);
  await startTurn(context, place, messageOf(ts, words, place.bot));
}

function isForApp(event: SlackBody): boolean {
  if (event["bot_id"] !== undefined || !WRITTEN.has(text(event["subtype"]))) return false;
  return event["type"] === "app_mention" || (event["type"] === "message" && event["channel_type"] === "im");
}

function placeOf(body: SlackBody, event: SlackBody): SlackPlace | undefined {
  const [channel, thread] = [text(event["channel"]), text(event["thread_ts"]) ?? text(event["ts"])];
  const person = authorOf(body, event);
  if (channel === undefined || thread === undefined || person === undefined) return undefined;
  const first: unknown = Array.isArray(body["authorizations"]) ? body["authorizations"][0] : undefined;
  const bot = field(first, "user_id");
  return {
    installation: installationOf(body),
    channel,
    thread,
    person,
    bot,
    isDirect: channel.startsWith("D"),
  };
}

async function startTurn(context: SurfaceContext, place: SlackPlace, last: AgentMessage): Promise<void> {
  const user = await context.userOf(place.person);
  const client = await context.clientOf(place.installation);
  const { words, catalogue } = await context.languageOf(place.person, place.installation);
  if (user === undefined)
    return say(client, place, words.unknownPerson, linkTo(context.linkUrl, words.linkAccount));
  const conversationId = conversationOf(context.kind, place);
  const open = await context.surface.find(user, { conversationId });
  // Slack has sent an older message again. The turn of the newer message has read it in the thread.
  if (open?.ended === false && isStartedAfter(open.ref, last.id)) return;
  const isReply = place.thread !== last.id;
  const earlier = isReply ? await historyOf(context, client, place, last.id) : [];
  const started = await context.surface.start({
    user,
    conversationId,
    messages: [...earlier, last],
    supports: { url: true, form: true },
    // A mention may arrive as two events with different ids, but with the same message. The same applies to retries of an
    // event.
    startId: `${place.channel}:${last.id}`,
    ref: toRef(place, last.id),
    keepMs: KEEP_MS,
    languages: [catalogue.locale],
  });
  if (!("refused" in started)) return;
  // The server is shutting down. After an error, Slack sends the event again.
  if (started.refused === "closed") throw new KitError("elicit-kit: the server is shutting down.");
  if (started.refused === "limit") await say(client, place, words.comeBack(started.retryAfter));
}

/** Without the scope to read threads, or if Slack limits that, the agent gets only the last message. */
async function historyOf(
  context: SurfaceContext,
  client: SlackClient,
  place: SlackPlace,
  before: string,
): Promise<readonly AgentMessage[]> {
  const hasty: SlackClient = {
    call: (method, args) => client.call(method, args, { maxWaitMs: HISTORY_WAIT_MS }),
  };
  try {
    return await earlierMessages(hasty, place, before);
  } catch (error) {
    if (!(error instanceof SlackApiError)) throw error;
    context.onError(error);
    return [];
  }
}

/**
 * Stops the user's own turn in a thread. `false`: there is none, or it started after `at`, so Slack has repeated an old
 * event.
 */
export async function stopTurn(context: SurfaceContext, place: SlackPlace, at?: string): Promise<boolean> {
  const user = await context.userOf(place.person);
  const conversationId = conversationOf(context.kind, place);
  const turn = user && (await context.surface.find(user, { conversationId }));
  if (turn === undefined || turn.ended || (at !== undefined && isStartedAfter(turn.ref, at))) return false;
  await turn.stop(STOPPED);
  return true;
}

async function sayStopped(context: SurfaceContext, place: SlackPlace, at: string): Promise<void> {
  const isStopped = await stopTurn(context, place, at);
  const { words } = await context.languageOf(place.person, place.installation);
  const client = await context.clientOf(place.installation);
  await say(client, place, isStopped ? words.stopped : words.nothingToStop);
}

async function say(client: SlackClient, place: SlackPlace, words: string, extra?: object): Promise<void> {
  const where = { channel: place.channel, thread_ts: place.thread };
  const blocks = [section(words), ...(extra === undefined ? [] : [extra])];
  await client.call("chat.postMessage", { ...where, text: fallbackText(words), blocks });
}

function linkTo(url: string | undefined, label: string): object | undefined {
  if (url === undefined) return undefined;
  return { type: "actions", elements: [button("link", label, "link-account", { url, style: "primary" })] };
}

/** Users can use a slash command in any channel. */
const NOT_INVITED = new Set(["channel_not_found", "not_in_channel"]);

/** Handles a slash command: its text becomes the first message of a thread, in which a turn starts. */
export async function onCommand(context: SurfaceContext, body: SlackBody): Promise<SlackReply> {
  const [channel, user, team] = [text(body["channel_id"]), text(body["user_id"]), text(body["team_id"])];
  if (channel === undefined || user === undefined || team === undefined) return {};
  const words = text(body["text"])?.trim() ?? "";
  const installation = installationOf(body);
  const { enterprise } = installation;
  const person: SlackPerson = enterprise === undefined ? { user, team } : { user, team, enterprise };
  const whispered = async (sentence: (words: SlackWords) => string): Promise<SlackReply> => {
    const language = await context.languageOf(person, installation);
    return { response_type: "ephemeral", text: sentence(language.words) };
  };
  if (words === "") return whispered((own) => own.emptyCommand(escapeMrkdwn(text(body["command"]) ?? "/")));
  const client = await context.clientOf(installation);
  const shown = `${mention(user)}: ${escapeMrkdwn(shorten(words, 2500))}`;
  const blocks = [{ type: "section", text: { type: "mrkdwn", text: shown, verbatim: true } }];
  const message = { channel, text: fallbackText(words), blocks };
  let ts: unknown;
  try {
    ({ ts } = await client.call("chat.postMessage", message));
  } catch (error) {
    if (!(error instanceof SlackApiError && NOT_INVITED.has(error.code))) throw error;
    return whispered((own) => own.notInvited);
  }
  if (typeof ts !== "string") return {};
  const { user_id: bot } = await client.call("auth.test", {});
  const isDirect = channel.startsWith("D");
  const place = { installation, channel, thread: ts, person, isDirect, bot: text(bot) };
  await startTurn(context, place, messageOf(ts, escapeMrkdwn(words), undefined));
  return {};
}
