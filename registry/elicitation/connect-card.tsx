"use client";
import type { ConnectPromptProps } from "elicit-kit/cards";
import { ConnectPromptParts as Connect } from "elicit-kit/parts";
import { Button } from "@/registry/default/ui/button";
import {
  Card,
  CardAction,
  CardContent,
  CardDescription,
  CardFooter,
  CardHeader,
  CardTitle,
} from "@/registry/default/ui/card";
import * as look from "./look";

/** The card for a URL request: the requester, the message, the link, the buttons, and at the end the receipt. */
export function ConnectCard(props: ConnectPromptProps) {
  return (
    <Connect.Root {...props} className={look.card} render={<Card />}>
      <CardHeader className={look.head}>
        <CardTitle className={look.heading}>
          <Connect.Tile className={look.tile} />
          <Connect.Title className={look.title} />
        </CardTitle>
        <CardAction>
          <Connect.Dismiss
            className={look.dismiss}
            render={({ children, ...button }) => (
              <Button {...button} variant="ghost" size="icon">
                <span aria-hidden="true">×</span>
                <span className="sr-only">{children}</span>
              </Button>
            )}
          />
        </CardAction>
        <CardDescription className={look.said}>
          <Connect.Requester />
          <Connect.Message />
          <Connect.Claim />
        </CardDescription>
      </CardHeader>
      <CardContent className={look.boxes}>
        <Connect.Notice className={look.notice} />
        {/* The user decides based on these two parts, so keep both. */}
        <Connect.Warnings className={look.warning} />
        <Connect.Url className={look.link} />
      </CardContent>
      <CardFooter className={look.bar}>
        <Connect.Waiting className="basis-full text-[0.8125rem]" />
        <Connect.Fallback className="flex flex-wrap gap-2 underline" />
        <Connect.Connect
          className={look.quietInDanger}
          render={(button, { awaited }) => (
            <Button {...button} size="sm" variant={awaited ? "outline" : "default"} />
          )}
        />
        <Connect.Retry render={<Button size="sm" />} />
        <Connect.Decline className={look.leadsInDanger} render={<Button size="sm" variant="outline" />} />
        <Connect.Finished render={<Button size="sm" variant="ghost" />} />
        <Connect.CopyLink render={<Button size="sm" variant="ghost" />} />
        <Connect.Remaining className={look.aside} />
        <Connect.MoreTime render={<Button size="sm" variant="ghost" />} />
      </CardFooter>
      <Connect.Receipt className={look.receipt} />
    </Connect.Root>
  );
}
