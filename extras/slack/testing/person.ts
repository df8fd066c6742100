import { isObject } from "../../../src/contract/json.ts";
import type { Delivery } from "./delivery.ts";
import { toJson } from "./message-methods.ts";
import { type FakeModalClient, createModalClient } from "./modal-client.ts";
import { messageEvent, payloadBase, sessionStopped } from "./payloads.ts";
import {
  type FakeChannel,
  type FakeMember,
  type FakeMessage,
  type FakeState,
  type FakeView,
  type JsonObject,
  newTrigger,
} from "./state.ts";
import { viewJson } from "./view-methods.ts";
import { type Values, boxesOf, initialValues, optionText, toggle } from "./view-values.ts";

/** A user of Slack. Each method resolves when the app has replied, or when its time is over. */
export interface FakePerson extends FakeMember, FakeModalClient {
  /** Writes a message. The app receives it if the message mentions the app (`slack.mention`), or in a direct message. */
  say(channel: FakeChannel, text: string, options?: { thread?: string }): Promise<FakeMessage>;
  /** Clicks a button of a message or modal, by its text or its `action_id`. Resolves with its `url`, if it is a link. */
  press(shown: FakeMessage | FakeView, button: string): Promise<string | undefined>;
  /** Checks or unchecks a checkbox of a message or modal, by its text. For inputs of a modal, use `enter`. */
  tick(shown: FakeMessage | FakeView, box: string): Promise<void>;
  /** Uses a shortcut in the menu of a message. */
  shortcut(message: FakeMessage, callbackId: string): Promise<void>;
  /** Clicks the stop button that Slack shows while an agent works in a thread. */
  stop(channel: FakeChannel, thread: string): Promise<void>;
  /** Sends a slash command. Resolves with the app's reply. */
  command(channel: FakeChannel, command: string, text: string): Promise<JsonObject | undefined>;
}

export function createPerson(state: FakeState, delivery: Delivery, member: FakeMember): FakePerson {
  const base = () => payloadBase(state, member);

  const modal = createModalClient(state, delivery, member);

  const viewOrigin = (shown: FakeView): JsonObject => ({
    container: { type: "view", view_id: shown.id },
    view: viewJson(state, shown),
  });
  const ticked = new Map<FakeMessage, { readonly updates: number; readonly values: Values }>();

  /**
   * The checkboxes that this user has checked in a message. Other users do not see them, and an update of the message
   * clears them.
   */
  function valuesOf(shown: FakeMessage | FakeView): Values {
    if ("view" in shown) return shown.values;
    const known = ticked.get(shown);
    if (known?.updates === shown.updates) return known.values;
    const values = initialValues({ blocks: shown.blocks });
    ticked.set(shown, { updates: shown.updates, values });
    return values;
  }

  const messageOrigin = (message: FakeMessage): JsonObject => ({
    channel: { id: message.channel, name: state.channels.get(message.channel)?.name },
    container: {
      type: "message",
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: false,
    },
    message: toJson(state, message),
    state: { values: valuesOf(message) },
    response_url: `https://hooks.slack.com/actions/${state.next()}`,
  });

  async function act(shown: FakeMessage | FakeView, action: JsonObject): Promise<void> {
    await delivery.interaction({
      ...base(),
      type: "block_actions",
      trigger_id: newTrigger(state, member.id),
      ...("view" in shown ? viewOrigin(shown) : messageOrigin(shown)),
      actions: [{ ...action, action_ts: state.newTs() }],
    });
  }

  return {
    ...member,
    async say(channel, text, { thread } = {}) {
      const message: FakeMessage = {
        channel: channel.id,
        ts: state.newTs(),
        threadTs: thread,
        user: member.id,
        isFromApp: false,
        text,
        blocks: [],
        metadata: undefined,
        updates: 0,
        streamingState: undefined,
        streamedSince: 0,
      };
      state.messages.push(message);
      state.changed();
      const envelope = messageEvent(state, member, channel, message);
      if (envelope !== undefined) await delivery.event(envelope);
      return message;
    },
    async press(shown, words) {
      const buttons = buttonsOf("view" in shown ? { blocks: blocksOf(shown.view) } : shown);
      const button = buttons.find((one) => one["action_id"] === words || optionText(one) === words);
      if (button === undefined) {
        const names = buttons.map(optionText).join(", ");
        const where = "view" in shown ? "modal" : "message";
        throw new Error(`elicit-kit: the ${where} has no button "${words}". It has: ${names}.`);
      }
      const { block_id: block, action_id: action, value, text } = button;
      await act(shown, { type: "button", block_id: block, action_id: action, text, value });
      return typeof button["url"] === "string" ? button["url"] : undefined;
    },
    async tick(shown, words) {
      const values = valuesOf(shown);
      const boxes = boxesOf("view" in shown ? shown.view : { blocks: shown.blocks });
      for (const box of boxes) {
        const { block, action } = box;
        const value = toggle(box, values[block]?.[action] ?? {}, words);
        if (value === undefined) continue;
        values[block] = { ...values[block], [action]: value };
        await act(shown, { ...value, block_id: block, action_id: action });
        return;
      }
      const where = "view" in shown ? "modal" : "message";
      throw new Error(`elicit-kit: the ${where} has no box "${words}".`);
    },
    ...modal,
    async shortcut(message, callbackId) {
      await delivery.interaction({
        ...base(),
        type: "message_action",
        callback_id: callbackId,
        trigger_id: newTrigger(state, member.id),
        message_ts: message.ts,
        channel: { id: message.channel, name: state.channels.get(message.channel)?.name },
        message: toJson(state, message),
        response_url: `https://hooks.slack.com/app/${state.next()}`,
      });
    },
    stop: (channel, thread) => delivery.event(sessionStopped(state, member, channel, thread)),
    command(channel, command, text) {
      const { team, enterprise, isOrgInstall, app } = state.workspace;
      return delivery.command({
        command,
        text,
        team_id: team,
        ...(enterprise !== undefined && { enterprise_id: enterprise }),
        is_enterprise_install: String(isOrgInstall),
        channel_id: channel.id,
        channel_name: channel.name,
        user_id: member.id,
        user_name: member.name.toLowerCase(),
        api_app_id: app,
        trigger_id: newTrigger(state, member.id),
        response_url: `https://hooks.slack.com/commands/${state.next()}`,
      });
    },
  };
}

/** The buttons of a message, each with the id of its block. */
export function buttonsOf(message: Pick<FakeMessage, "blocks">): readonly JsonObject[] {
  return message.blocks.flatMap((block) => {
    const elements: unknown[] = Array.isArray(block["elements"]) ? block["elements"] : [block["accessory"]];
    return elements.flatMap((element) =>
      isObject(element) && element["type"] === "button" ? [{ ...element, block_id: block["block_id"] }] : [],
    );
  });
}

const blocksOf = ({ blocks }: JsonObject): readonly JsonObject[] =>
  Array.isArray(blocks) ? blocks.filter(isObject) : [];
