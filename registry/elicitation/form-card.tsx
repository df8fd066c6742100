"use client";
import type { FormElicitationProps } from "elicit-kit/cards";
import { FormElicitationParts as Form } from "elicit-kit/parts";
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
import { Input } from "@/registry/default/ui/input";
import * as look from "./look";

/** The card for a form request: the requester, the message, the questions, the buttons, and at the end the receipt. */
export function FormCard({ components, ...props }: FormElicitationProps) {
  return (
    <Form.Root {...props} controls={components?.control} className={look.card} render={<Card />}>
      <CardHeader className={look.head}>
        <CardTitle className={look.heading}>
          <Form.Tile className={look.tile} />
          <Form.Title className={look.title} />
        </CardTitle>
        <CardAction>
          <Form.Dismiss
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
          <Form.Requester />
          <Form.Message />
          <Form.Claim />
        </CardDescription>
      </CardHeader>
      <CardContent className={look.boxes}>
        <Form.Warnings className={look.warning} />
        <Form.Fields className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
          {(field) => (
            <Form.Field
              key={field.name}
              field={field}
              className={({ size }) => (size === "half" ? "min-w-0" : "min-w-0 sm:col-span-full")}
            >
              <div className="mb-1.5">
                <Form.Label className="text-sm font-medium" />
                <Form.Limits className="ms-2 text-xs text-muted-foreground" />
              </div>
              <Form.Control />
              <Form.Description className="mt-1 text-xs text-muted-foreground" />
              <Form.Error className="mt-1 flex items-center gap-1.5 text-xs font-medium text-destructive" />
            </Form.Field>
          )}
        </Form.Fields>
        <Form.SecretsWarning className={look.warning} />
        <Form.Remember className={look.remember} />
        <Form.Notice className={look.notice} />
      </CardContent>
      <CardFooter className={look.bar}>
        <Form.Note className={look.note}>{(input) => <Input {...input} />}</Form.Note>
        <Form.GiveTo className={look.giveTo}>
          <Form.Label className="text-sm font-medium" />
          <Form.Control />
          <Form.Error className="flex items-center gap-1.5 text-xs font-medium text-destructive" />
        </Form.GiveTo>
        <Form.WaitsFor className={look.waitsFor} />
        <Form.Remind render={<Button size="sm" variant="outline" />} />
        <Form.TakeBack render={<Button size="sm" variant="ghost" />} />
        <Form.Submit
          render={(button, { folded }) => (
            <Button {...button} size="sm" variant={folded ? "ghost" : "default"} />
          )}
        />
        <Form.Retry render={<Button size="sm" variant="outline" />} />
        <Form.Decline render={<Button size="sm" variant="outline" />} />
        <Form.Delegate render={<Button size="sm" variant="ghost" />} />
        <Form.NoAnd render={<Button size="sm" variant="ghost" />} />
        <Form.GiveOn render={<Button size="sm" variant="ghost" />} />
        <Form.Remaining className={look.aside} />
        <Form.MoreTime render={<Button size="sm" variant="ghost" />} />
        <Form.ErrorCount className={`${look.aside} text-destructive`} />
      </CardFooter>
      <Form.Receipt className={look.receipt} />
      <Form.Sent className={look.sent} />
    </Form.Root>
  );
}
