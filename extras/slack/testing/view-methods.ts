import { isObject } from "../../../src/contract/json.ts";
import { checkModal } from "./block-kit.ts";
import type { FakeState, FakeView, JsonObject } from "./state.ts";
import { initialValues } from "./view-values.ts";
import { type Method, type Methods, TIER, invalid, refused, text } from "./method.ts";

/** The maximum size of a view as JSON, in bytes. */
const MAX_VIEW = 250_000;
/** The maximum number of stacked modals. */
const MAX_VIEWS = 3;

/** The reason why Slack refuses a view, if it does. */
export function refusalOfView(view: unknown): JsonObject | undefined {
  if (!isObject(view)) return refused("invalid_arguments");
  const errors = checkModal(view);
  if (errors.length > 0) return invalid("invalid_arguments", errors);
  if (new TextEncoder().encode(JSON.stringify(view)).byteLength > MAX_VIEW) return refused("view_too_large");
  return undefined;
}

export function showView(state: FakeState, view: JsonObject, user: string): FakeView {
  const id = `V${state.next()}`;
  const team = state.members.get(user)?.team ?? state.workspace.team;
  const shown: FakeView = {
    id,
    hash: `${state.next()}.hash`,
    view,
    user,
    team,
    values: initialValues(view),
    errors: {},
  };
  state.views.set(id, shown);
  return shown;
}

/** Replaces a view with another one. Inputs with the same ids keep their values. */
export function replaceView(state: FakeState, shown: FakeView, view: JsonObject): void {
  const before = shown.values;
  shown.view = view;
  shown.hash = `${state.next()}.hash`;
  shown.errors = {};
  shown.values = initialValues(view);
  for (const [block, actions] of Object.entries(shown.values)) {
    for (const action of Object.keys(actions)) {
      const kept = before[block]?.[action];
      if (kept !== undefined && kept["type"] === actions[action]?.["type"]) actions[action] = kept;
    }
  }
}

/** A view in the format of the API and of payloads. */
export function viewJson(state: FakeState, { id, hash, view, team, values }: FakeView): JsonObject {
  return {
    id,
    hash,
    team_id: team,
    app_id: state.workspace.app,
    bot_id: "B0FAKE",
    root_view_id: id,
    previous_view_id: null,
    external_id: "",
    callback_id: "",
    private_metadata: "",
    ...view,
    state: { values },
  };
}

const open: Method = {
  scopes: [],
  perMinute: TIER.four,
  run(state, args) {
    const trigger = state.triggers.get(text(args["trigger_id"]) ?? "");
    if (trigger === undefined) return refused("invalid_trigger_id");
    if (trigger.isUsed) return refused("exchanged_trigger_id");
    if (state.clock.now() >= trigger.expiresAt) return refused("expired_trigger_id");
    const { view } = args;
    const refusal = refusalOfView(view);
    if (refusal !== undefined) return refusal;
    const shownTo = [...state.views.values()].filter(({ user }) => user === trigger.user);
    if (shownTo.length >= MAX_VIEWS) return refused("push_limit_reached");
    trigger.isUsed = true;
    const shown = showView(state, isObject(view) ? view : {}, trigger.user);
    return { ok: true, view: viewJson(state, shown) };
  },
};

const update: Method = {
  scopes: [],
  perMinute: TIER.four,
  run(state, args) {
    const shown = state.views.get(text(args["view_id"]) ?? "");
    if (shown === undefined) return refused("not_found");
    if (args["hash"] !== undefined && args["hash"] !== shown.hash) return refused("hash_conflict");
    const { view } = args;
    const refusal = refusalOfView(view);
    if (refusal !== undefined) return refusal;
    replaceView(state, shown, isObject(view) ? view : {});
    return { ok: true, view: viewJson(state, shown) };
  },
};

export const viewMethods: Methods = { "views.open": open, "views.push": open, "views.update": update };
