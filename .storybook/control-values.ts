import { type ElicitationRequest, purposeOf } from "../src/contract/contract.ts";

interface StoryOfCard {
  argTypes: Readonly<Record<string, unknown>>;
  initialArgs: Readonly<Record<string, unknown>> & { readonly requests?: readonly ElicitationRequest[] };
}

/**
 * Sets the controls of a card to what its first request contains, so that they show what the card shows. The control of a
 * text that it lacks is empty.
 */
export function showValues({ argTypes, initialArgs }: StoryOfCard): Record<string, unknown> {
  const [first] = initialArgs.requests ?? [];
  if (first === undefined) return {};
  const values: Readonly<Record<string, unknown>> = {
    message: first.message,
    requester: first.requester?.name ?? "",
    claimedName: first.requester?.claimedName ?? "",
    service: "",
    url: "",
    ...(first.mode === "url"
      ? { service: first.service?.name ?? "", url: first.url, purpose: purposeOf(first) }
      : { layout: first.context?.["layout"] }),
  };
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && name in argTypes && initialArgs[name] === undefined,
    ),
  );
}
