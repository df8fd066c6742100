import { isObject } from "../../../src/contract/json.ts";

/** The data that the driver of a card and one run of a tool exchange. */
export interface CardRun {
  /** How long the run may wait for a page that the user has agreed to open. */
  holdMs: number;
  /** Reports progress in the call to the client. All runs share it, because its steps are counted. */
  readonly progress?: ((message: string) => void) | undefined;
  /** When the first open question expires. Set by the run. */
  until?: number;
  /** Whether the state of the run was used before, has expired, or belongs to another user or call. Set by the run. */
  isRefused?: boolean;
  /** Whether the client itself shows the questions of the result, and then makes the call again. Set by the run. */
  isForClient?: boolean;
}

const CARD_RUN: unique symbol = Symbol.for("elicit-kit.mcp.card-run");

/** Makes `run` available to the handler of a tool, in its async context. */
export function withCardRun<Context extends object>(ctx: Context, run: CardRun): Context {
  return Object.assign({}, ctx, { [CARD_RUN]: run });
}

/** `undefined`: the client of the call shows questions itself. */
export function cardRunOf(ctx: object): CardRun | undefined {
  const run = CARD_RUN in ctx ? ctx[CARD_RUN] : undefined;
  return isCardRun(run) ? run : undefined;
}

function isCardRun(value: unknown): value is CardRun {
  return isObject(value) && typeof value["holdMs"] === "number";
}

const FORM_VIEW: unique symbol = Symbol.for("elicit-kit.mcp.form-view");

/** Passes the handler of a tool the view that its client shows for a form (SEP-3118). */
export function withFormView<Context extends object>(ctx: Context, uri: string | undefined): Context {
  return Object.assign({}, ctx, { [FORM_VIEW]: uri });
}

/** Returns the view that the client of a handler shows for a form. */
export function formViewOf(ctx: object): string | undefined {
  const uri = FORM_VIEW in ctx ? ctx[FORM_VIEW] : undefined;
  return typeof uri === "string" ? uri : undefined;
}

/** Adds the client's view to the `params` of an `elicitation/create` for a form, if it has one. */
export function onFormView<Params extends Readonly<Record<string, unknown>>>(
  uri: string | undefined,
  params: Params,
): Params {
  if (uri === undefined || params["mode"] === "url") return params;
  return { ...params, _meta: { ui: { resourceUri: uri } } };
}
