import {
  type ComponentRef,
  type Context,
  type ForwardRefExoticComponent,
  forwardRef,
  type JSX,
  type RefAttributes,
  useContext,
} from "react";
import { type PartRender, type PartOverrides, type PartProps, usePartElement } from "./part.ts";

export type Part<Tag extends keyof JSX.IntrinsicElements, State> = ForwardRefExoticComponent<
  PartProps<Tag, State> & RefAttributes<ComponentRef<Tag>>
>;

/**
 * Makes the parts of one parent, which shares its state with them through `context`. A part is its name in errors and
 * developer tools, its element, and a hook that tells from the shared state what to render: `undefined` is nothing.
 */
export function createPartFactory<Value>(context: Context<Value | undefined>, parent: string) {
  return function createPart<Tag extends keyof JSX.IntrinsicElements, State extends object>(
    name: string,
    tag: Tag,
    useView: (value: Value) => PartRender<State> | undefined,
  ): Part<Tag, State> {
    const part = forwardRef<ComponentRef<Tag>, PartOverrides<State> & Readonly<Record<string, unknown>>>(
      (props, ref) => usePartElement(tag, props, ref, useView(useShared(context, name, parent))),
    );
    part.displayName = name;
    return part;
  };
}

/** What the parent around `part` shares. Throws when there is none. */
export function useShared<Value>(context: Context<Value | undefined>, part: string, parent: string): Value {
  const value = useContext(context);
  if (value === undefined) {
    throw new Error(`elicit-kit: <${part}> has no root to take its state from. Place it within ${parent}.`);
  }
  return value;
}
