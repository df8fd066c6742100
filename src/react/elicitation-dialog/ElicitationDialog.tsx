"use client";
import * as Dialog from "@radix-ui/react-dialog";
import { useEffect, useRef } from "react";
import { useBrowserLayoutEffect } from "../browser-layout-effect.ts";
import { ElicitationPrompt } from "../elicitation-prompt/ElicitationPrompt.tsx";
import type { ElicitationsProps } from "../elicitations/Elicitations.tsx";
import { en } from "../messages/en.ts";
import { isAboutComposition } from "../prompt/composing.ts";
import { AnnounceContext, useLiveRegion } from "../prompt/live-region.tsx";
import { statusText } from "../prompt/status-text.ts";
import { useElicitation } from "../use-elicitation.ts";

export type ElicitationDialogProps = ElicitationsProps & {
  /** Where the dialog is put. @default document.body */
  container?: HTMLElement | null | undefined;
};

/**
 * The drop-in as a modal dialog: one request at a time, in the order they were asked. Escape and × dismiss the request;
 * a press beside the dialog does nothing, for an answer must not be given by mistake. The focus goes into the dialog and
 * back afterwards. Keep it mounted: how a request ended is told through its live region.
 *
 * @example
 * import { ElicitationDialog } from "elicit-kit/dialog"; // needs the package @radix-ui/react-dialog
 * <ElicitationDialog client={elicit} conversationId={chat.id} messages={chat.messages} />
 */
export function ElicitationDialog(props: ElicitationDialogProps) {
  const { catalogue = en, components, secrets, container } = props;
  const { elicitations, current } = useElicitation(props);
  const { announce, region } = useLiveRegion();
  const isOpen = current !== undefined;

  // Radix gives the focus back to the button that opened a dialog; this one was opened by nobody.
  const before = useRef<Element | null>(null);
  useBrowserLayoutEffect(() => {
    if (isOpen) before.current = document.activeElement;
  }, [isOpen]);

  const shown = useRef<string>(undefined);
  useEffect(() => {
    const last = elicitations.find(({ id }) => id === shown.current);
    const told = last !== undefined && last.id !== current?.id && statusText(last, catalogue);
    if (typeof told === "string") announce(told);
    shown.current = current?.id;
  }, [elicitations, current?.id, catalogue, announce]);

  return (
    <>
      {region}
      <Dialog.Root open={isOpen} onOpenChange={(open) => void (open || current?.cancel())}>
        <Dialog.Portal container={container}>
          {/* Not Radix's overlay: it locks scrolling with a style element, which `style-src 'self'` forbids. */}
          <div className="elicit-overlay" />
          {current !== undefined && (
            <Dialog.Content
              className="elicit-dialog"
              aria-modal="true"
              aria-describedby={undefined}
              onEscapeKeyDown={(event) => {
                if (isAboutComposition(event) || isFilledSearch(event.target)) event.preventDefault();
              }}
              onInteractOutside={(event) => event.preventDefault()}
              onCloseAutoFocus={(event) => {
                event.preventDefault();
                if (before.current instanceof HTMLElement) before.current.focus();
              }}
            >
              <Dialog.Title asChild>
                <span hidden>{catalogue.title(current.request.mode, current.request.context?.trigger)}</span>
              </Dialog.Title>
              {/* Some screen readers are deaf to what is outside of a modal dialog: the card speaks in here. */}
              <AnnounceContext.Provider value={undefined}>
                <ElicitationPrompt
                  key={current.id}
                  elicitation={current}
                  messages={catalogue}
                  components={components}
                  secrets={secrets}
                />
              </AnnounceContext.Provider>
            </Dialog.Content>
          )}
        </Dialog.Portal>
      </Dialog.Root>
    </>
  );
}

/** Escape empties a search box first. */
function isFilledSearch(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === "search" && target.value !== "";
}
