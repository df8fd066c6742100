import { useEffect, useRef, useState } from "react";
import type { AccountReport } from "../../client/elicitation.ts";
import type { ConnectShared } from "./context.ts";

export interface AccountProps {
  shared: Pick<ConnectShared, "elicitation" | "catalogue" | "announce">;
  service: string;
  report: AccountReport | undefined;
  onReport: (report: AccountReport) => void;
}

/** The rights of a connected account, since when it is connected, and the button that removes it. */
export function Account({ shared, service, report, onReport }: AccountProps) {
  const { elicitation, catalogue, announce } = shared;
  const { connectedOn, can, remove, removed, notRevoked } = catalogue.consent;
  const { locale } = catalogue;
  const [step, setStep] = useState<"shown" | "asked" | "busy" | "kept" | "failed">("shown");
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (report?.connected === false) return undefined;
    let isHere = true;
    async function read(): Promise<void> {
      const found = await elicitation.account({ language: locale });
      if (isHere && found !== undefined) onReport(found);
    }
    void read();
    return () => {
      isHere = false;
    };
    // One reading each time that the receipt opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  // The button with the focus is gone. Without this, keyboard users would start again at the top of the page.
  useEffect(() => {
    if (step === "kept" || step === "failed") button.current?.focus();
  }, [step]);

  async function removeNow(): Promise<void> {
    setStep("busy");
    const done = await elicitation.account({ remove: true });
    announce(done === undefined ? catalogue.didNotWork : removed(service));
    if (done === undefined) return setStep("failed");
    onReport(done);
  }

  if (report?.connected === false) {
    return report.isRevoked === false ? <p>{notRevoked(service)}</p> : null;
  }
  const rights = report?.rights ?? [];
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const since = new Date(report?.since ?? elicitation.request.resolution?.at ?? "");
  const isAsked = step === "asked" || step === "busy";
  return (
    <>
      <dl>
        {!Number.isNaN(since.getTime()) && (
          <div>
            <dt>{connectedOn}</dt>
            <dd>{format.format(since)}</dd>
          </div>
        )}
        {rights.length > 0 && (
          <div>
            <dt>{can}</dt>
            <dd>
              <ul>
                {rights.map((right) => (
                  <li key={right}>
                    <bdi>{right}</bdi>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
      </dl>
      {isAsked && (
        <RemoveQuestion
          catalogue={catalogue}
          service={service}
          isBusy={step === "busy"}
          onKeep={() => setStep("kept")}
          onRemove={() => void removeNow()}
        />
      )}
      {report !== undefined && (
        <button
          className="elicit-link-button"
          type="button"
          ref={button}
          hidden={isAsked}
          onClick={() => setStep("asked")}
        >
          {step === "failed" ? `${remove} · ${catalogue.didNotWork}` : remove}
        </button>
      )}
    </>
  );
}

/** Asks before the account is removed. The focus moves to the button that keeps it. */
function RemoveQuestion({
  catalogue,
  service,
  isBusy,
  onKeep,
  onRemove,
}: Pick<ConnectShared, "catalogue"> & {
  service: string;
  isBusy: boolean;
  onKeep: () => void;
  onRemove: () => void;
}) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const question = catalogue.consent.askRemove(service);
  return (
    <fieldset className="elicit-actions elicit-discard" aria-label={question}>
      <p>{question}</p>
      <button className="elicit-button" type="button" ref={keep} onClick={onKeep}>
        {catalogue.consent.keep}
      </button>
      <button
        className="elicit-button"
        type="button"
        aria-disabled={isBusy || undefined}
        onClick={isBusy ? undefined : onRemove}
      >
        {catalogue.consent.remove}
      </button>
    </fieldset>
  );
}
