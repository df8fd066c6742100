import { isObject } from "../../../src/contract/json.ts";
import { checkBlocks } from "./block-kit.ts";
import { isWellFormed } from "./rules.ts";
import { type FakeChannel, type FakeMessage, type FakeState, type JsonObject, findMessage } from "./state.ts";
import { type Method, type Methods, invalid, refused, text } from "./method.ts";

/** The maximum length of `text`. */
const MAX_TEXT = 40_000;
const scopes = ["chat:write"];

/** The channel, if the app may write there, or the reason why it may not. */
export function writableChannel(state: FakeState, id: unknown): FakeChannel | JsonObject {
  const channel = typeof id === "string" ? state.channels.get(id) : undefined;
  if (channel === undefined) return refused("channel_not_found");
  if (channel.isArchived) return refused("is_archived");
  return channel.hasApp ? channel : refused("not_in_channel");
}

export const isRefusal = (value: FakeChannel | JsonObject): value is JsonObject => "ok" in value;

/** The blocks of a call after the check, or the reason why Slack refuses them. */
export function readBlocks(
  args: JsonObject,
): { blocks: readonly JsonObject[]; refusal?: undefined } | { refusal: JsonObject } {
  const blocks = args["blocks"] ?? [];
  if (!Array.isArray(blocks)) return { refusal: refused("invalid_blocks_format") };
  const errors = checkBlocks(blocks);
  return errors.length > 0 ? { refusal: invalid("invalid_blocks", errors) } : { blocks };
}

function metadataOf(args: JsonObject): JsonObject | undefined | "invalid" {
  const { metadata } = args;
  if (metadata === undefined) return undefined;
  if (!isObject(metadata)) return "invalid";
  const isValid = typeof metadata["event_type"] === "string" && isObject(metadata["event_payload"]);
  return isValid ? metadata : "invalid";
}

interface Content {
  readonly text: string;
  readonly blocks: readonly JsonObject[];
  readonly metadata: JsonObject | undefined;
}

function readContent(args: JsonObject): Content | { refusal: JsonObject } {
  const read = readBlocks(args);
  if (read.refusal !== undefined) return read;
  const given = text(args["text"]) ?? "";
  if (given === "" && read.blocks.length === 0) return { refusal: refused("no_text") };
  if (given.length > MAX_TEXT) return { refusal: refused("msg_too_long") };
  if (!isWellFormed(given)) return { refusal: refused("invalid_arguments") };
  const metadata = metadataOf(args);
  if (metadata === "invalid") return { refusal: refused("invalid_metadata_format") };
  return { text: given, blocks: read.blocks, metadata };
}

const postMessage: Method = {
  scopes,
  perMinute: 60,
  run(state, args) {
    const channel = writableChannel(state, args["channel"]);
    if (isRefusal(channel)) return channel;
    const content = readContent(args);
    if ("refusal" in content) return content.refusal;
    const message: FakeMessage = {
      channel: channel.id,
      ts: state.newTs(),
      threadTs: text(args["thread_ts"]),
      user: state.workspace.bot,
      isFromApp: true,
      updates: 0,
      streamingState: undefined,
      streamedSince: 0,
      ...content,
    };
    state.messages.push(message);
    return { ok: true, channel: channel.id, ts: message.ts, message: toJson(state, message) };
  },
};

const update: Method = {
  scopes,
  perMinute: 50,
  run(state, args) {
    const channel = writableChannel(state, args["channel"]);
    if (isRefusal(channel)) return channel;
    const message = findMessage(state, channel.id, args["ts"]);
    if (message === undefined) return refused("message_not_found");
    if (!message.isFromApp) return refused("cant_update_message");
    if (message.streamingState === "in_progress") return refused("streaming_state_conflict");
    const content = readContent(args);
    if ("refusal" in content) return content.refusal;
    // As in Slack: an update without metadata keeps it, and an update with only a text removes the blocks.
    Object.assign(message, content, { metadata: content.metadata ?? message.metadata });
    message.updates += 1;
    return { ok: true, channel: channel.id, ts: message.ts, text: message.text };
  },
};

const postEphemeral: Method = {
  scopes,
  perMinute: 100,
  run(state, args) {
    const channel = writableChannel(state, args["channel"]);
    if (isRefusal(channel)) return channel;
    const user = text(args["user"]) ?? "";
    if (!channel.members.has(user)) return refused("user_not_in_channel");
    const content = readContent(args);
    if ("refusal" in content) return content.refusal;
    // Slack replies ok here, too, and shows nothing.
    if (!channel.isAssistant) {
      const { blocks } = content;
      state.ephemerals.push({
        channel: channel.id,
        threadTs: text(args["thread_ts"]),
        user,
        text: content.text,
        blocks,
      });
    }
    return { ok: true, message_ts: state.newTs() };
  },
};

const permalink: Method = {
  scopes: [],
  perMinute: 100,
  run(state, args) {
    const message = findMessage(state, args["channel"], args["message_ts"]);
    if (message === undefined) return refused("message_not_found");
    const path = `${message.channel}/p${message.ts.replace(".", "")}`;
    return { ok: true, channel: message.channel, permalink: `https://acme.slack.com/archives/${path}` };
  },
};

export const messageMethods: Methods = {
  "chat.postMessage": postMessage,
  "chat.update": update,
  "chat.postEphemeral": postEphemeral,
  "chat.getPermalink": permalink,
};

/** A message in the format of the API and of interaction payloads. */
export function toJson(state: FakeState, message: FakeMessage, withMetadata = false): JsonObject {
  const { ts, threadTs, user, blocks, metadata, streamingState } = message;
  const { app, team } = state.workspace;
  return {
    type: "message",
    ts,
    user,
    text: message.text,
    team,
    ...(threadTs !== undefined && { thread_ts: threadTs }),
    ...(message.isFromApp && { bot_id: "B0FAKE", app_id: app }),
    ...(blocks.length > 0 && { blocks }),
    ...(streamingState !== undefined && { streaming_state: streamingState }),
    ...(withMetadata && metadata !== undefined && { metadata }),
    ...(message.updates > 0 && { edited: { user, ts } }),
  };
}
