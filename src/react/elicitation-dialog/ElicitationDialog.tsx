"use client";
import * as Dialog from "@radix-ui/react-dialog";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSettings } from "../use-settings.ts";
import { useBrowserLayoutEffect } from "../use-shared.ts";
import { ElicitationPrompt } from "../elicitation-prompt/ElicitationPrompt.tsx";
import { lateForm } from "../elicitations/lazy-cards.ts";
import { useArriving } from "../elicitations/arriving.ts";
import { NotLoaded } from "../elicitations/NotLoaded.tsx";
import type { ElicitationsProps } from "../elicitations/props.ts";
import { type OnEscape, PlaceContext } from "../prompt/context.ts";
import { isAboutComposition, leaveControl, usesEscape } from "../prompt/keys.ts";
import { keptInPortal } from "../prompt/kept-inside.ts";
import { icon } from "../prompt/icon.tsx";
import { AnnounceContext, useLiveRegion } from "../prompt/live-region.tsx";
import { isMissed, statusText, titleText } from "../prompt/status-text.ts";
import { useElicitationList } from "../use-elicitation-list.ts";

export type ElicitationDialogProps = ElicitationsProps & {
  /** The element that the dialog is rendered into. @default document.body */
  container?: HTMLElement | null | undefined;
};

/**
 * The drop-in as a modal dialog: one request at a time, in the order in which they were asked. Escape (outside of
 * controls) and × dismiss the request, after a confirmation if there is user input. A press outside of the dialog does
 * nothing, so that users do not dismiss it by mistake. A request that ends without an answer stays until it is closed.
 * The focus moves into the dialog, and back afterwards. Keep it mounted: outcomes are announced through its live region.
 *
 * @example
 * import { ElicitationDialog } from "elicit-kit/dialog"; // needs the package @radix-ui/react-dialog
 * <ElicitationDialog client={elicit} conversationId={chat.id} messages={chat.messages} />
 */
export function ElicitationDialog(props: ElicitationDialogProps) {
  const { components, secrets, container } = props;
  const { catalogue } = useSettings(props);
  useEffect(() => void lateForm.load(), []);
  const { elicitations, current } = useElicitationList(props);
  const arriving = useArriving(props.client, props.conversationId);
  const unshown = arriving.hasFailed ? arriving.requests.filter((request) => request.isOpen) : [];
  const { announce, region } = useLiveRegion();
  const [shownId, setShownId] = useState<string>();
  // A request that ended without an answer stays, so that the user can read the reason and keep their input.
  const missed = elicitations.find((item) => item.id === shownId && isMissed(item));
  const shown = missed ?? current;
  if (shown?.id !== shownId) setShownId(shown?.id);
  const isOpen = shown !== undefined;

  // Radix returns the focus to the trigger of a dialog. This dialog has no trigger.
  const before = useRef<Element | null>(null);
  useBrowserLayoutEffect(() => {
    if (isOpen) before.current = document.activeElement;
  }, [isOpen]);

  const told = useRef<string>(undefined);
  useEffect(() => {
    const last = elicitations.find(({ id }) => id === told.current && id !== shownId);
    // The end of such a request was announced inside the dialog.
    const text = last === undefined || isMissed(last) ? undefined : statusText(last, catalogue);
    if (text !== undefined) announce(text);
    told.current = shownId;
  }, [elicitations, shownId, catalogue, announce]);

  const escape = useRef<() => void>(undefined);
  const onEscape = useCallback<OnEscape>((inCard) => {
    escape.current = inCard;
    return () => {
      escape.current = undefined;
    };
  }, []);
  const place = useMemo(() => ({ onEscape }), [onEscape]);
  function close(): void {
    if (missed !== undefined) setShownId(undefined);
    else if (escape.current !== undefined) escape.current();
    else void shown?.cancel();
  }

  return (
    <>
      {region}
      {unshown.length > 0 && (
        <AnnounceContext.Provider value={announce}>
          <NotLoaded client={props.client} requests={unshown} catalogue={props.catalogue} />
        </AnnounceContext.Provider>
      )}
      <Dialog.Root open={isOpen}>
        <Dialog.Portal container={container}>
          <div {...keptInPortal}>
            {/* Not Radix's overlay, because it locks scrolling with a style element, which `style-src 'self'` forbids. */}
            <div className="elicit-overlay" />
            {shown !== undefined && (
              <Dialog.Content
                className="elicit-dialog"
                aria-modal="true"
                aria-describedby={undefined}
                lang={catalogue.locale}
                dir={catalogue.dir}
                onEscapeKeyDown={(event) => {
                  // Otherwise Radix closes the dialog.
                  event.preventDefault();
                  if (isAboutComposition(event) || usesEscape(event.target)) return;
                  if (!leaveControl(event.target)) close();
                }}
                onInteractOutside={(event) => event.preventDefault()}
                onCloseAutoFocus={(event) => {
                  event.preventDefault();
                  if (before.current instanceof HTMLElement) before.current.focus();
                }}
              >
                <Dialog.Title asChild>
                  <span hidden>{titleText(shown, catalogue)}</span>
                </Dialog.Title>
                {/* Some screen readers ignore live regions outside of a modal dialog, so the card announces inside it. */}
                <AnnounceContext.Provider value={undefined}>
                  <PlaceContext.Provider value={place}>
                    <ElicitationPrompt
                      key={shown.id}
                      elicitation={shown}
                      catalogue={props.catalogue}
                      components={components}
                      secrets={secrets}
                      onAskAgain={props.onAskAgain}
                    />
                  </PlaceContext.Provider>
                </AnnounceContext.Provider>
                {missed !== undefined && (
                  <button className="elicit-close" type="button" aria-label={catalogue.close} onClick={close}>
                    {icon("close")}
                  </button>
                )}
              </Dialog.Content>
            )}
          </div>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  );
}
