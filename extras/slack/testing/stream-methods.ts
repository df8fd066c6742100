import { isObject } from "../../../src/contract/json.ts";
import { isRefusal, readBlocks, toJson, writableChannel } from "./message-methods.ts";
import { isWellFormed } from "./rules.ts";
import { type FakeMessage, type FakeState, type JsonObject, findMessage } from "./state.ts";
import { type Method, type Methods, TIER, refused, text } from "./method.ts";

/** Slack ends a running stream after this time. */
const STREAM_MS = 5 * 60_000;
const MAX_MARKDOWN = 12_000;
const scopes = ["chat:write"];

/** The text of a call, including text in `chunks`. Chunks of tasks and plans are accepted, and not shown. */
function markdownOf(args: JsonObject): string {
  const chunks: unknown[] = Array.isArray(args["chunks"]) ? args["chunks"] : [];
  const texts = chunks.map((chunk) =>
    isObject(chunk) && chunk["type"] === "markdown_text" ? (text(chunk["text"]) ?? "") : "",
  );
  return (text(args["markdown_text"]) ?? "") + texts.join("");
}

const startStream: Method = {
  scopes,
  perMinute: TIER.two,
  run(state, args) {
    const channel = writableChannel(state, args["channel"]);
    if (isRefusal(channel)) return channel;
    const threadTs = text(args["thread_ts"]);
    if (threadTs === undefined) return refused("invalid_thread_ts");
    if (findMessage(state, channel.id, threadTs) === undefined) return refused("thread_not_found");
    if (channel.kind === "channel") {
      if (text(args["recipient_team_id"]) === undefined) return refused("missing_recipient_team_id");
      if (text(args["recipient_user_id"]) === undefined) return refused("missing_recipient_user_id");
    }
    const markdown = markdownOf(args);
    if (markdown.length > MAX_MARKDOWN) return refused("msg_too_long");
    const message: FakeMessage = {
      channel: channel.id,
      ts: state.newTs(),
      threadTs,
      user: state.workspace.bot,
      isFromApp: true,
      text: markdown,
      blocks: [],
      metadata: undefined,
      updates: 0,
      streamingState: "in_progress",
      streamedSince: state.clock.now(),
    };
    state.messages.push(message);
    return { ok: true, channel: channel.id, ts: message.ts };
  },
};

/** The message of a running stream, or the reason why there is none. */
function running(state: FakeState, args: JsonObject): FakeMessage | JsonObject {
  const channel = writableChannel(state, args["channel"]);
  if (isRefusal(channel)) return channel;
  const message = findMessage(state, channel.id, args["ts"]);
  if (message === undefined) return refused("message_not_found");
  if (!message.isFromApp) return refused("message_not_owned_by_app");
  if (message.streamingState === "in_progress" && state.clock.now() - message.streamedSince >= STREAM_MS) {
    message.streamingState = "completed";
  }
  return message.streamingState === "in_progress" ? message : refused("message_not_in_streaming_state");
}

const isRunning = (found: FakeMessage | JsonObject): found is FakeMessage => "streamingState" in found;

const appendStream: Method = {
  scopes,
  perMinute: TIER.four,
  run(state, args) {
    const message = running(state, args);
    if (!isRunning(message)) return message;
    const markdown = markdownOf(args);
    if (markdown === "") return refused("no_text");
    if (markdown.length > MAX_MARKDOWN) return refused("msg_too_long");
    if (!isWellFormed(markdown)) return refused("invalid_arguments");
    message.text += markdown;
    return { ok: true, channel: message.channel, ts: message.ts };
  },
};

const stopStream: Method = {
  scopes,
  perMinute: TIER.two,
  run(state, args) {
    const message = running(state, args);
    if (!isRunning(message)) return message;
    const markdown = markdownOf(args);
    if (markdown.length > MAX_MARKDOWN) return refused("msg_too_long");
    const read = readBlocks(args);
    if (read.refusal !== undefined) return read.refusal;
    const metadata = args["metadata"];
    message.text += markdown;
    message.blocks = read.blocks;
    if (typeof metadata === "object" && metadata !== null) message.metadata = { ...metadata };
    message.streamingState = "completed";
    return { ok: true, channel: message.channel, ts: message.ts, message: toJson(state, message) };
  },
};

export const streamMethods: Methods = {
  "chat.startStream": startStream,
  "chat.appendStream": appendStream,
  "chat.stopStream": stopStream,
};
