import type { JSX, ReactElement } from "react";
import { jsx } from "react/jsx-runtime";

export type Props = Readonly<Record<string, unknown>>;

/** The state of a part that shows none. */
export type NoState = Readonly<Record<string, never>>;

/** The element, state and props of a part. A view is a function that returns these from the state that a root shares. */
export interface PartRender<State extends object = NoState> {
  tag: keyof JSX.IntrinsicElements;
  ref?: unknown;
  /** Appears as `data-*` attributes. */
  state: State;
  props?: Props | undefined;
}

/** Returns the element of a view, for the kit's own cards. Parts use `usePartElement`, which adds the caller's props. */
export function drawView(
  view: PartRender<object> | undefined,
  className?: string,
  overrides?: Props,
): ReactElement | null {
  if (view === undefined) return null;
  const props: Record<string, unknown> = { className, ref: view.ref, ...view.props, ...overrides };
  addStateAttributes(props, view.state);
  // Unlike `createElement` it does not copy the props, because a long form has many.
  return jsx(view.tag, props);
}

/** `{ checking: true, status: "opened" }` → `data-checking="" data-status="opened"`; `false` and `undefined` add nothing. */
export function addStateAttributes(props: Record<string, unknown>, state: object): void {
  for (const [key, value] of Object.entries(state)) {
    if (value !== undefined && value !== false)
      props[`data-${key.toLowerCase()}`] = value === true ? "" : String(value);
  }
}
