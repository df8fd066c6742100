import type { FakeChannel, FakeMember, FakeMessage, FakeState, JsonObject } from "./state.ts";

/** The envelopes that Slack adds to events and interactions. */

/** The parts that every interaction has. In an org-wide installation there is no `team`. */
export function payloadBase(state: FakeState, member: FakeMember): JsonObject {
  const { team, enterprise, isOrgInstall, app } = state.workspace;
  return {
    api_app_id: app,
    token: "verification-token",
    team: isOrgInstall ? null : { id: team, domain: "acme" },
    enterprise: enterprise === undefined ? null : { id: enterprise, name: "Acme Group" },
    is_enterprise_install: isOrgInstall,
    user: {
      id: member.id,
      username: member.name.toLowerCase(),
      name: member.name.toLowerCase(),
      team_id: member.team,
    },
  };
}

/** The event of a message, if the app receives one: the message mentions the app or is a direct message. */
export function messageEvent(
  state: FakeState,
  member: FakeMember,
  channel: FakeChannel,
  message: FakeMessage,
): JsonObject | undefined {
  const isMention = message.text.includes(`<@${state.workspace.bot}>`);
  if (!channel.hasApp || (channel.kind === "channel" && !isMention)) return undefined;
  return envelope(state, member, {
    type: channel.kind === "im" ? "message" : "app_mention",
    ...(channel.kind === "im" && { channel_type: "im" }),
    user: member.id,
    text: message.text,
    ts: message.ts,
    event_ts: message.ts,
    channel: channel.id,
    team: member.team,
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
  });
}

export function sessionStopped(
  state: FakeState,
  member: FakeMember,
  channel: FakeChannel,
  thread: string,
): JsonObject {
  const streaming = state.messages.filter(
    (message) => message.threadTs === thread && message.streamingState === "in_progress",
  );
  for (const message of streaming) message.streamingState = "completed";
  return envelope(state, member, {
    type: "agent_session_stopped",
    channel: channel.id,
    thread_ts: thread,
    user: member.id,
    streaming_message_ts: streaming.map(({ ts }) => ts),
    event_ts: state.newTs(),
  });
}

function envelope(state: FakeState, member: FakeMember, event: JsonObject): JsonObject {
  const { team, enterprise, isOrgInstall, app, bot } = state.workspace;
  return {
    token: "verification-token",
    team_id: team,
    ...(enterprise !== undefined && { enterprise_id: enterprise }),
    context_team_id: team,
    context_enterprise_id: enterprise ?? null,
    api_app_id: app,
    event,
    type: "event_callback",
    event_id: `Ev${state.next()}`,
    event_time: Math.floor(state.clock.now() / 1000),
    authorizations: [
      {
        enterprise_id: enterprise ?? null,
        team_id: isOrgInstall ? null : team,
        user_id: bot,
        is_bot: true,
        is_enterprise_install: isOrgInstall,
      },
    ],
    is_ext_shared_channel: member.team !== team && member.enterprise !== enterprise,
  };
}
