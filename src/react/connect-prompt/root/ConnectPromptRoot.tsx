"use client";
import { type ForwardedRef, forwardRef } from "react";
import type { Catalogue } from "../../../words/cards/catalogue.ts";
import { en } from "../../../words/cards/en.ts";
import { type PartProps, usePartElement } from "../../part.ts";
import { PromptContext } from "../../prompt/context.ts";
import { ConnectContext } from "../context.ts";
import { type ConnectPromptRootState, type ConnectRootOptions, useConnectRoot } from "../use-connect-root.ts";

/** Groups the parts of one URL request. Escape inside of it dismisses the request. Renders a `<div role="group">`. */
export const ConnectPromptRoot = /* @__PURE__ */ forwardRef(function ConnectPromptRoot(
  props: ConnectPromptRootProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  // By key: the next request takes the focus and is announced anew.
  return <ConnectPromptRootInner key={props.elicitation.id} {...props} ref={ref} />;
});

const ConnectPromptRootInner = /* @__PURE__ */ forwardRef(function ConnectPromptRootInner(
  { elicitation, catalogue = en, getRegistrableDomain, children, ...props }: ConnectPromptRootProps,
  ref: ForwardedRef<HTMLDivElement>,
) {
  const { shared, view, region } = useConnectRoot({ elicitation, catalogue, getRegistrableDomain });
  const content = (
    <>
      {children}
      {region}
    </>
  );
  const element = usePartElement({ ...props, children: content }, ref, view);
  return (
    <PromptContext.Provider value={shared}>
      <ConnectContext.Provider value={shared}>{element}</ConnectContext.Provider>
    </PromptContext.Provider>
  );
});

export type ConnectPromptRootProps = PartProps<"div", ConnectPromptRootState> &
  ConnectRootOptions & {
    /** The kit's words in one language. @default English */
    catalogue?: Catalogue | undefined;
  };
