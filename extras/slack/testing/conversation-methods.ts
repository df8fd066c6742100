import { toJson } from "./message-methods.ts";
import type { FakeState, JsonObject } from "./state.ts";
import { type Method, type Methods, TIER, refused, text } from "./method.ts";

const replies: Method = {
  scopes: ["channels:history", "groups:history", "im:history", "mpim:history"],
  perMinute: TIER.three,
  run(state, args) {
    const channel = state.channels.get(text(args["channel"]) ?? "");
    if (channel === undefined) return refused("channel_not_found");
    if (!channel.hasApp) return refused("not_in_channel");
    const thread = text(args["ts"]);
    const inThread = state.messages.filter(
      (message) => message.channel === channel.id && (message.ts === thread || message.threadTs === thread),
    );
    if (inThread.length === 0) return refused("thread_not_found");
    const from = Number(args["cursor"] ?? 0);
    const until = from + Number(args["limit"] ?? 100);
    const withMetadata = args["include_all_metadata"] === true;
    return {
      ok: true,
      messages: inThread.slice(from, until).map((message) => toJson(state, message, withMetadata)),
      has_more: until < inThread.length,
      response_metadata: { next_cursor: until < inThread.length ? String(until) : "" },
    };
  },
};

const userInfo: Method = {
  scopes: ["users:read"],
  perMinute: TIER.four,
  run(state, args) {
    const { bot, team: home } = state.workspace;
    const app = { id: bot, name: "assistant", team: home, locale: "en-US" };
    const user = text(args["user"]) ?? "";
    const member = user === bot ? app : state.members.get(user);
    if (member === undefined) return refused("user_not_found");
    const { id, name, team } = member;
    const locale = args["include_locale"] === true && { locale: member.locale };
    const profile = { display_name: name };
    return {
      ok: true,
      user: { id, team_id: team, name, real_name: name, is_bot: user === bot, ...locale, profile },
    };
  },
};

const SESSION_STATES = new Set(["active", "processing", "suspended", "closed"]);

const setStatus: Method = {
  scopes: ["chat:write"],
  perMinute: TIER.three,
  run(state, args) {
    const status = text(args["status"]) ?? "";
    if (!SESSION_STATES.has(status)) return refused("invalid_arguments");
    const [channel, thread] = [text(args["channel_id"]), text(args["thread_ts"])];
    if (channel === undefined || !state.channels.has(channel)) return refused("channel_not_found");
    state.sessions.set(`${channel}:${thread}`, status);
    return { ok: true, status };
  },
};

const test: Method = {
  scopes: [],
  perMinute: 1000,
  run(state): JsonObject {
    const { team, enterprise, isOrgInstall, bot } = state.workspace;
    return {
      ok: true,
      url: "https://acme.slack.com/",
      team: "Acme",
      user: "assistant",
      team_id: team,
      user_id: bot,
      bot_id: "B0FAKE",
      is_enterprise_install: isOrgInstall,
      ...(enterprise !== undefined && { enterprise_id: enterprise }),
    };
  },
};

export const conversationMethods: Methods = {
  "conversations.replies": replies,
  "users.info": userInfo,
  "agents.sessions.setStatus": setStatus,
  "auth.test": test,
  "api.test": { scopes: [], perMinute: 1000, run: (_state: FakeState, args) => ({ ok: true, args }) },
};
