import { isObject } from "../../../src/contract/json.ts";
import { checkSuggestions } from "./block-kit.ts";
import type { Delivery } from "./delivery.ts";
import { payloadBase } from "./payloads.ts";
import { type FakeMember, type FakeState, type FakeView, type JsonObject, newTrigger } from "./state.ts";
import { refusalOfView, replaceView, showView, viewJson } from "./view-methods.ts";
import {
  type Entry,
  type ViewInput,
  asText,
  clientError,
  enter,
  inputsOf,
  optionText,
  optionsIn,
} from "./view-values.ts";

/** A user's actions in a modal. */
export interface FakeModalClient {
  /** The topmost modal, if one is open. */
  view(): FakeView | undefined;
  /** Types into inputs of the modal, by their labels. The app gets an event for inputs with `dispatch_action`. */
  enter(entries: Readonly<Record<string, Entry>>): Promise<void>;
  /** Searches an external select, by the label of its input. */
  search(label: string, query: string): Promise<readonly string[]>;
  /**
   * Submits the modal. Slack's own checks come first: if the client would not send it, this throws, and `view().errors`
   * has the errors. Resolves with the errors beside the inputs, by label, if the app has refused some.
   */
  submit(entries?: Readonly<Record<string, Entry>>): Promise<Readonly<Record<string, string>>>;
  /** Closes the modal. */
  close(): Promise<void>;
}

export function createModalClient(state: FakeState, delivery: Delivery, member: FakeMember): FakeModalClient {
  const base = () => payloadBase(state, member);

  function top(): FakeView | undefined {
    return [...state.views.values()].findLast(({ user }) => user === member.id);
  }

  function openView(): FakeView {
    const view = top();
    if (view === undefined) throw new Error(`elicit-kit: ${member.name} has no modal open.`);
    return view;
  }

  async function suggest(
    view: FakeView,
    { block, action }: ViewInput,
    query: string,
  ): Promise<readonly JsonObject[]> {
    const reply = await delivery.interaction({
      ...base(),
      type: "block_suggestion",
      action_id: action,
      block_id: block,
      value: query,
      view: viewJson(state, view),
    });
    if (reply === undefined) return [];
    const errors = checkSuggestions(reply);
    if (errors.length > 0) state.failures.push({ kind: "interaction", reason: errors.join("; ") });
    return errors.length > 0 ? [] : optionsIn(reply);
  }

  /** The options that a user can choose from. An external select asks the app for them. */
  async function offeredBy(
    view: FakeView,
    input: ViewInput,
    entry: Entry,
  ): Promise<readonly JsonObject[] | undefined> {
    if (!asText(input.element["type"]).includes("external")) return undefined;
    const found: JsonObject[] = [];
    for (const wanted of Array.isArray(entry) ? entry : [asText(entry)])
      found.push(...(await suggest(view, input, wanted)));
    return found;
  }

  async function fill(entries: Readonly<Record<string, Entry>>): Promise<void> {
    const view = openView();
    for (const [label, entry] of Object.entries(entries)) {
      const input = inputOf(view, label);
      const { block, action } = input;
      const value = enter(input, entry, await offeredBy(view, input, entry));
      view.values[block] = { [action]: value };
      if (!input.dispatches) continue;
      await delivery.interaction({
        ...base(),
        type: "block_actions",
        trigger_id: newTrigger(state, member.id),
        container: { type: "view", view_id: view.id },
        view: viewJson(state, view),
        actions: [{ ...value, block_id: block, action_id: action, action_ts: state.newTs() }],
      });
    }
  }

  /** Applies the reply to a submission. Returns the errors by label. */
  function apply(view: FakeView, reply: JsonObject): Readonly<Record<string, string>> {
    const action = reply["response_action"];
    if (action === undefined) {
      state.views.delete(view.id);
      return {};
    }
    if (action === "clear") {
      for (const { id, user } of state.views.values()) if (user === member.id) state.views.delete(id);
      return {};
    }
    if (action === "errors") return showErrors(view, reply["errors"]);
    const next = reply["view"];
    const refusal = refusalOfView(next);
    if (refusal !== undefined || !isObject(next)) {
      state.failures.push({ kind: "interaction", reason: JSON.stringify(refusal) });
      return {};
    }
    if (action === "update") replaceView(state, view, next);
    else if (action === "push") showView(state, next, member.id);
    else
      state.failures.push({
        kind: "interaction",
        reason: `unknown response_action: ${JSON.stringify(action)}`,
      });
    return {};
  }

  function showErrors(view: FakeView, errors: unknown): Readonly<Record<string, string>> {
    const inputs = inputsOf(view.view);
    const given = isObject(errors) ? errors : {};
    const shown: Record<string, string> = {};
    const byBlock: Record<string, string> = {};
    for (const [block, words] of Object.entries(given)) {
      const input = inputs.find((one) => one.block === block);
      if (input === undefined || typeof words !== "string" || words === "") {
        // Slack shows "trouble connecting" in place of the errors.
        state.failures.push({ kind: "interaction", reason: `errors name no input block: ${block}` });
        continue;
      }
      shown[input.label] = words;
      byBlock[block] = words;
    }
    if (Object.keys(given).length === 0)
      state.failures.push({ kind: "interaction", reason: "errors are empty" });
    view.errors = byBlock;
    return shown;
  }

  return {
    view: top,
    enter: fill,
    async search(label, query) {
      const view = openView();
      return (await suggest(view, inputOf(view, label), query)).map(optionText);
    },
    async submit(entries = {}) {
      await fill(entries);
      const view = openView();
      const refused = inputsOf(view.view).flatMap((input) => {
        const error = clientError(input, view.values[input.block]?.[input.action] ?? {});
        return error === undefined ? [] : [{ ...input, error }];
      });
      if (refused.length > 0) {
        view.errors = Object.fromEntries(refused.map(({ block, error }) => [block, error]));
        state.changed();
        const told = refused.map(({ label, error }) => `"${label}": ${error}`).join(" ");
        throw new Error(`elicit-kit: Slack does not send the modal: ${told}`);
      }
      const reply = await delivery.interaction({
        ...base(),
        type: "view_submission",
        trigger_id: newTrigger(state, member.id),
        view: viewJson(state, view),
        response_urls: [],
      });
      const errors = reply === undefined ? {} : apply(view, reply);
      state.changed();
      return errors;
    },
    async close() {
      const view = openView();
      state.views.delete(view.id);
      state.changed();
      if (view.view["notify_on_close"] !== true) return;
      // This payload does not contain the typed values.
      const closed = { ...viewJson(state, view), state: { values: {} } };
      await delivery.interaction({ ...base(), type: "view_closed", view: closed, is_cleared: false });
    },
  };
}

function inputOf(view: FakeView, label: string): ViewInput {
  const found = inputsOf(view.view).find((input) => input.label === label);
  if (found !== undefined) return found;
  const labels = inputsOf(view.view).map((input) => input.label);
  throw new Error(`elicit-kit: the modal has no input "${label}". It has: ${labels.join(", ")}.`);
}
