"use client";
import type { BoundElicitation } from "elicit-kit";
import { ConnectPromptParts as Connect } from "elicit-kit/parts";
import * as look from "./look";

/** A URL request: who asks for what, where the link leads, the buttons, and at the end the receipt. */
export function ConnectCard({ elicitation }: { elicitation: BoundElicitation }) {
  return (
    <Connect.Root elicitation={elicitation} className={look.card}>
      <div className={look.head}>
        <Connect.Tile className={look.tile} />
        <Connect.Title className={look.title} />
        <Connect.Dismiss className={look.close} aria-label="Not now">
          ×
        </Connect.Dismiss>
        <Connect.Requester className={look.lead} />
        <Connect.Message className={look.lead} />
        <Connect.Claim className={look.lead} />
      </div>
      <Connect.Notice className={look.notice} />
      {/* The user decides by what these two show: keep both. */}
      <Connect.Warnings className={look.warning} />
      <Connect.Url className={look.link} />
      <div className={look.bar}>
        <Connect.Waiting className="basis-full text-[0.8125rem]" />
        <Connect.Fallback className="flex flex-wrap gap-2 underline" />
        <Connect.Connect
          className={({ awaited }) => `${awaited ? look.secondary : look.primary} ${look.quietInDanger}`}
        />
        <Connect.Retry className={look.primary} />
        <Connect.Decline className={`${look.secondary} ${look.leadsInDanger}`} />
        <Connect.Finished className={look.quiet} />
        <Connect.CopyLink className={look.quiet} />
        <Connect.Remaining className={look.aside} />
      </div>
      <Connect.Receipt className={look.receipt} />
    </Connect.Root>
  );
}
