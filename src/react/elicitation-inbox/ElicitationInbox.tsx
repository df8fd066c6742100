"use client";
import { type ReactNode, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { ElicitationClient } from "../../client/elicitation.ts";
import { isOpen } from "../../client/ended.ts";
import { type BoundElicitation, isWaiting } from "../bound-elicitation.ts";
import type { CardSettings } from "../card-props.ts";
import { useSettings } from "../use-settings.ts";
import { lateForm } from "../elicitations/lazy-cards.ts";
import { icon } from "../prompt/icon.tsx";
import { AnnounceContext, useLiveRegion } from "../prompt/live-region.tsx";
import { titleText } from "../prompt/status-text.ts";
import { useElicitationInbox } from "../use-elicitation-inbox.ts";
import { coarseNow, onTick, InboxRow } from "./row.tsx";

export interface ElicitationInboxProps extends CardSettings {
  client: ElicitationClient;
  /**
   * The heading above the questions of a conversation: its title, or a link to it. @default "Conversation 1" and so on
   */
  renderConversation?: ((conversationId: string) => ReactNode) | undefined;
}

/**
 * The open requests of the user in all conversations, as a list whose rows expand to cards. An answer here ends the
 * request, and its turn continues in any process. A request that ends while the list is shown stays as a receipt. × and
 * Escape close the row, and the request stays open.
 *
 * @example
 * <ElicitationInbox client={client} renderConversation={(id) => <a href={`/chats/${id}`}>Chat {id}</a>} />
 */
export function ElicitationInbox(props: ElicitationInboxProps) {
  const { client, renderConversation, secrets, components, onAskAgain } = props;
  const { catalogue } = useSettings(props);
  const { inbox: words, locale } = catalogue;
  useEffect(() => void lateForm.load(), []);
  const { count, elicitations, conversations, entryOf, status, retry } = useElicitationInbox({ client });
  const [before] = useState(() => new Set(elicitations.filter((item) => !isOpen(item)).map(({ id }) => id)));
  const [openedId, setOpenedId] = useState<string>();
  const now = useSyncExternalStore(onTick, coarseNow, coarseNow);
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const { announce, region } = useLiveRegion();
  const settings = useMemo(
    () => ({ catalogue: props.catalogue, secrets, components, onAskAgain }),
    [props.catalogue, secrets, components, onAskAgain],
  );

  const format = (number: number) => number.toLocaleString(locale);
  const shown = conversations.map(({ conversationId, elicitations: all }) => ({
    conversationId,
    elicitations: all.filter(({ id }) => !before.has(id)),
  }));
  const own = shown
    .map((group) => ({ ...group, elicitations: group.elicitations.filter((item) => !isFromOthers(item)) }))
    .filter((group) => group.elicitations.length > 0);
  const fromOthers = shown.flatMap((group) => group.elicitations.filter(isFromOthers));
  const groups = [
    ...own.map((group, index) => ({
      key: group.conversationId,
      name: renderConversation?.(group.conversationId) ?? words.conversation(format(index + 1)),
      elicitations: group.elicitations,
    })),
    ...(fromOthers.length === 0 ? [] : [{ key: "", name: catalogue.others.title, elicitations: fromOthers }]),
  ];
  const isEmpty = groups.length === 0;
  const isLoading = status === "loading" && isEmpty;
  const isUnreachable = status === "reconnecting" || status === "unavailable";
  const problem = isUnreachable ? (isEmpty ? words.unavailable : words.outdated) : undefined;
  useEffect(() => {
    if (problem !== undefined) announce(problem);
  }, [problem, announce]);

  // The first list is what the user came to read, so only later questions are announced.
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (status === "loading") return;
    const ids = known.current;
    for (const item of elicitations) {
      if (ids !== undefined && !ids.has(item.id) && isOpen(item)) announce(titleText(item, catalogue));
    }
    known.current = new Set(elicitations.map(({ id }) => id));
  }, [elicitations, status, catalogue, announce]);

  const tryAgain = (
    <button
      className="elicit-button"
      type="button"
      onClick={() => {
        // The button disappears.
        title.current?.focus();
        retry();
      }}
    >
      {catalogue.tryAgain}
    </button>
  );
  return (
    <section
      className="elicit-inbox"
      aria-labelledby={titleId}
      aria-busy={isLoading || undefined}
      lang={locale}
      dir={catalogue.dir}
    >
      <h2 className="elicit-inbox-title" id={titleId} ref={title} tabIndex={-1}>
        <span>{words.title}</span>
        {count > 0 && <span className="elicit-count">{format(count)}</span>}
      </h2>
      {problem !== undefined && !isEmpty && (
        <div className="elicit-notice">
          {icon("alert")}
          <span>{problem}</span>
          {tryAgain}
        </div>
      )}
      <AnnounceContext.Provider value={announce}>
        {groups.map((group, index) => (
          <div key={group.key} className="elicit-inbox-group">
            <h3 className="elicit-inbox-name" id={`${titleId}${index}`}>
              {group.name}
            </h3>
            <ul aria-labelledby={`${titleId}${index}`}>
              {group.elicitations.map((elicitation) => (
                <InboxRow
                  key={elicitation.id}
                  elicitation={elicitation}
                  entry={entryOf(elicitation)}
                  progress={progressOf(elicitation, group.elicitations, catalogue.roundProgress)}
                  catalogue={catalogue}
                  settings={settings}
                  now={now}
                  isOpened={elicitation.id === openedId}
                  onOpen={setOpenedId}
                />
              ))}
            </ul>
          </div>
        ))}
      </AnnounceContext.Provider>
      {isEmpty && (
        <div className="elicit-inbox-state">
          {isLoading ? (
            <p className="elicit-waiting">{words.loading}</p>
          ) : (
            <>
              {icon(problem === undefined ? "inbox" : "alert")}
              <b>{problem ?? words.empty}</b>
              {problem === undefined ? <p>{words.emptyHint}</p> : tryAgain}
            </>
          )}
        </div>
      )}
      {region}
    </section>
  );
}

/** Whether another user's agent asks this user. */
function isFromOthers({ request }: BoundElicitation): boolean {
  return request.from !== undefined;
}

/** How many requests of the round are answered. Requests of a round are answered together. */
function progressOf(
  { request: { round } }: BoundElicitation,
  elicitations: readonly BoundElicitation[],
  words: (answered: number, size: number) => string,
): string | undefined {
  if (round === undefined || round.size < 2) return undefined;
  const answered = elicitations.filter((item) => item.request.round?.id === round.id && !isWaiting(item));
  return words(answered.length, round.size);
}
