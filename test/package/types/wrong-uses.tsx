/** Mistakes that must not compile: users and models make each of them. */
import { Elicitations, type UseElicitationListOptions } from "elicit-kit";
import { createElicitation } from "elicit-kit/ai-sdk";
import { createElicitationClient } from "elicit-kit/client";
import { type Draft, parseRequestedSchema } from "elicit-kit/form";
import { ConnectPromptParts } from "elicit-kit/parts";
import type { ElicitationRequest, ElicitationResponse } from "elicit-kit/contract";
import { createRuntime, type Elicitor } from "elicit-kit/runtime";

const elicit = createElicitation();

// @ts-expect-error An option that does not exist.
createElicitation({ apiUrl: "/run/api" });

// @ts-expect-error A client without a way to talk.
createElicitationClient({});

// @ts-expect-error A prop that does not exist: looks are a matter of CSS.
export const themed = <Elicitations client={elicit} theme="dark" />;

// @ts-expect-error Messages of no conversation.
export const options: UseElicitationListOptions = { client: elicit, messages: [] };

// @ts-expect-error The parts of a card need to know of which request.
export const part = <ConnectPromptParts.Root />;

// @ts-expect-error The protocol says decline.
export const refused: ElicitationResponse = { elicitationId: "e1", action: "reject" };

export const nested: ElicitationResponse = {
  elicitationId: "e1",
  action: "accept",
  // @ts-expect-error Forms are flat.
  content: { address: { city: "Lisbon" } },
};

// @ts-expect-error Only requests of mode `url` have one.
export const url = (request: ElicitationRequest): string => request.url;

// @ts-expect-error A schema can be one that no form shows: that has to be looked at first.
export const fields = (schema: unknown): unknown => parseRequestedSchema(schema).fields;

// @ts-expect-error What stands in a control is text, yes or no, or a list; a number is read from text.
export const draft: Draft = 3;

// @ts-expect-error Nobody says who people are.
createRuntime({ allowedOrigins: [], onError: () => undefined });

export async function seat(elicitor: Elicitor): Promise<string> {
  const answer = await elicitor.choose("Which seat?", ["aisle", "window"]);
  // @ts-expect-error People may refuse: there is a value only once they have accepted.
  return answer.value;
}
