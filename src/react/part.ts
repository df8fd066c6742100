import {
  cloneElement,
  type ComponentPropsWithoutRef,
  type CSSProperties,
  forwardRef,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type JSX,
  type PropsWithoutRef,
  type ReactElement,
  type RefAttributes,
  type RefCallback,
  useMemo,
  version,
} from "react";
import { jsx } from "react/jsx-runtime";
import { addStateAttributes, type NoState, type PartRender, type Props } from "./view.ts";

/** The props that a `render` function receives for the part's element. Spread all of them. */
export interface RenderProps extends HTMLAttributes<HTMLElement> {
  ref?: RefCallback<HTMLElement> | undefined;
}

/** The props of every part besides the attributes of its element. */
export type PartOverrides<State = NoState> = {
  className?: string | ((state: State) => string | undefined) | undefined;
  style?: CSSProperties | ((state: State) => CSSProperties | undefined) | undefined;
  /** Replaces the element: pass an element that receives the part's props, or a function of props and state. */
  render?: ReactElement<Props> | ((props: RenderProps, state: State) => ReactElement) | undefined;
};

export type PartProps<Tag extends keyof JSX.IntrinsicElements, State = NoState> = Omit<
  ComponentPropsWithoutRef<Tag>,
  "className" | "style"
> &
  PartOverrides<State>;

/** A part, with the props and the ref of its element. */
export type Part<
  Tag extends keyof HTMLElementTagNameMap,
  State extends object = NoState,
> = ForwardRefExoticComponent<
  PropsWithoutRef<PartProps<Tag, State>> & RefAttributes<HTMLElementTagNameMap[Tag]>
>;

/**
 * Returns a function that creates parts from views. `useShared` takes the name of a part, and returns the values that its
 * root shares.
 */
export function partsOf<Shared>(useShared: (part: string) => Shared) {
  return function createPart<Tag extends keyof HTMLElementTagNameMap, State extends object = NoState>(
    name: string,
    useView: (shared: Shared) => PartRender<State> | undefined,
  ): Part<Tag, State> {
    const Part = forwardRef<HTMLElementTagNameMap[Tag], PartProps<Tag, State>>((props, ref) =>
      usePartElement(props, ref, useView(useShared(name))),
    );
    Part.displayName = name;
    return Part;
  };
}

/**
 * Returns the element of a part, or `null` without a view. The caller's props override the view's, and those of a
 * `render` element override both. Refs are merged, handlers are chained (see `mergeProps`), and state becomes data
 * attributes.
 */
export function usePartElement<State extends object>(
  componentProps: PartOverrides<State> & Props,
  callerRef: unknown,
  view: PartRender<State> | undefined,
): ReactElement | null {
  const { render } = componentProps;
  const element = typeof render === "object" ? render : undefined;
  const ref = useMergedRefs(callerRef, view?.ref, element && refOf(element));
  if (view === undefined) return null;
  const { state, tag } = view;
  const props: Record<string, unknown> = {};
  addProps(props, view.props);
  addStateAttributes(props, state);
  for (const [key, value] of Object.entries(componentProps)) {
    const ofState = (key === "className" || key === "style") && typeof value === "function";
    if (key !== "render") addProp(props, key, ofState ? value(state) : value);
  }
  addProp(props, "ref", ref);
  if (typeof render === "function") return render(props, state);
  if (element !== undefined) return cloneElement(element, { ...mergeProps(props, element.props), ref });
  return jsx(tag, props);
}

/**
 * Later props override earlier ones. Class names and styles are joined. Of two handlers, the later one (the caller's)
 * runs first, and `event.preventDefault()` in it prevents the earlier one (the part's).
 */
export function mergeProps(...list: readonly Props[]): Props {
  const merged: Record<string, unknown> = {};
  for (const props of list) addProps(merged, props);
  return merged;
}

function addProps(merged: Record<string, unknown>, props: Props = {}): void {
  for (const key of Object.keys(props)) addProp(merged, key, props[key]);
}

function addProp(merged: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) return;
  const before = merged[key];
  merged[key] = before === undefined ? value : mergeProp(key, before, value);
}

function mergeProp(key: string, before: unknown, value: unknown): unknown {
  if (key === "className" && typeof before === "string") return `${before} ${String(value)}`;
  if (key === "style" && typeof before === "object") return Object.assign({}, before, value);
  if (/^on[A-Z]/.test(key) && typeof before === "function" && typeof value === "function") {
    return (event: { defaultPrevented?: boolean } | undefined, ...rest: unknown[]) => {
      value(event, ...rest);
      if (event?.defaultPrevented !== true) before(event, ...rest);
    };
  }
  return value;
}

function useMergedRefs(a: unknown, b: unknown, c: unknown): RefCallback<HTMLElement> | undefined {
  return useMemo(() => (a || b || c ? mergeRefs([a, b, c].filter(Boolean)) : undefined), [a, b, c]);
}

function mergeRefs(refs: readonly unknown[]): RefCallback<HTMLElement> {
  let detachments: readonly (() => void)[] = [];
  // Returns nothing, because React 18 warns about cleanup functions, which React 19 allows.
  return (node: HTMLElement | null) => {
    for (const detach of detachments) detach();
    detachments = node === null ? [] : refs.map((ref) => attach(ref, node));
  };
}

function attach(ref: unknown, node: HTMLElement): () => void {
  if (typeof ref === "function") {
    const cleanup: unknown = ref(node);
    return () => void (typeof cleanup === "function" ? cleanup() : ref(null));
  }
  if (typeof ref !== "object" || ref === null || !("current" in ref)) return () => undefined;
  ref.current = node;
  return () => {
    ref.current = null;
  };
}

/** React 19 keeps a ref in the props, React 18 on the element. Each warns if the other is read. */
function refOf(element: ReactElement<Props>): unknown {
  if (Number.parseInt(version, 10) >= 19) return element.props["ref"];
  return "ref" in element ? element.ref : undefined;
}
