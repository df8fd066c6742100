"use client";
import { createElement, useEffect, useState } from "react";
import { isOpen } from "../../client/ended.ts";
import { whenIdle } from "../../client/late.ts";
import { ElicitationAnnouncer } from "../prompt/live-region.tsx";
import { useItems } from "../use-elicitation-list.ts";
import { useArriving } from "./arriving.ts";
import { lateCards, lateDock, lateForm, useLate } from "./lazy-cards.ts";
import { NotLoaded } from "./NotLoaded.tsx";
import type { ElicitationsProps } from "./props.ts";

export type { ElicitationsProps } from "./props.ts";

/**
 * The drop-in: all requests of a conversation as cards, in the order in which they were asked, ended ones as receipts.
 * Keep it mounted: screen readers announce changes only in a live region that was on the page before.
 *
 * @example
 * <Elicitations client={elicit} conversationId={chat.id} messages={chat.messages} />
 */
export function Elicitations(props: ElicitationsProps) {
  const { client, conversationId, placement, children } = props;
  const items = useItems(props);
  const { requests, hasFailed } = useArriving(client, conversationId);
  const cards = useLate(lateCards);
  const [composer, setComposer] = useState<HTMLElement | null>(null);
  const [isHidden, hideComposer] = useState(false);
  const isAsked = items.length > 0 || requests.length > 0;
  const hasDock = placement === "composer" || placement === "log";
  const needsForm =
    items.some(({ request }) => request.mode === "form") ||
    requests.some((request) => request.mode === "form" && request.isOpen);
  useEffect(() => {
    function load(hasForm: boolean): void {
      void lateCards.load();
      if (hasForm) void lateForm.load();
      if (hasDock) void lateDock.load();
    }
    if (isAsked) load(needsForm);
    else if (client.preload !== "never") return whenIdle(() => load(true));
    return undefined;
  }, [client, isAsked, needsForm, hasDock]);
  const unshown = [
    ...(cards === "failed" ? items.filter(isOpen) : []),
    ...(hasFailed ? requests.filter((request) => request.isOpen) : []),
  ];
  return (
    <div className="elicit-list">
      <ElicitationAnnouncer>
        {typeof cards === "object" && createElement(cards.Cards, { ...props, items, composer, hideComposer })}
        {unshown.length > 0 && placement !== "log" && (
          <NotLoaded client={client} requests={unshown} catalogue={props.catalogue} />
        )}
      </ElicitationAnnouncer>
      {placement === "composer" && children !== undefined && (
        <div ref={setComposer} hidden={isHidden}>
          {children}
        </div>
      )}
    </div>
  );
}
