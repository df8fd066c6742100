import type { FormElicitationRequest, UrlElicitationRequest } from "../contract.ts";

/** Valid requests for tests and stories. A test sets only the members that it is about. */
export function urlRequest(changes: Partial<UrlElicitationRequest> = {}): UrlElicitationRequest {
  return {
    type: "elicitation-request",
    elicitationId: "url-1",
    mode: "url",
    message: "To list your repositories, GitHub needs your permission.",
    url: "https://auth.example.com/auth/connect?elicitationId=url-1",
    requester: { name: "Acme Assistant" },
    context: { trigger: "credential_required" },
    ...changes,
  };
}

export function formRequest(changes: Partial<FormElicitationRequest> = {}): FormElicitationRequest {
  return {
    type: "elicitation-request",
    elicitationId: "form-1",
    mode: "form",
    message: "Where should the parcel go?",
    requester: { name: "Acme Assistant" },
    requestedSchema: {
      type: "object",
      properties: {
        city: { type: "string", title: "City", minLength: 2 },
        email: { type: "string", title: "Email", format: "email" },
      },
      required: ["city"],
    },
    ...changes,
  };
}

/** A form with one question. */
export function question(schema: object, required = false, context?: FormElicitationRequest["context"]) {
  return formRequest({
    context,
    requestedSchema: { type: "object", properties: { value: schema }, required: required ? ["value"] : [] },
  });
}

/** A choice that also takes free text, as `choose` of an elicitor asks it. */
export function ownWordsQuestion(changes: Partial<FormElicitationRequest> = {}): FormElicitationRequest {
  return formRequest({
    message: "Which seat?",
    requestedSchema: {
      type: "object",
      properties: {
        seat: {
          type: "string",
          title: "Seat",
          oneOf: [
            { const: "aisle", title: "Aisle" },
            { const: "window", title: "Window" },
          ],
        },
        seat_other: { type: "string", title: "Or in your own words", maxLength: 500 },
      },
      anyOf: [{ required: ["seat"] }, { required: ["seat_other"] }],
    },
    ...changes,
  });
}

/** A choice whose options have previews, except the last. */
export function previewQuestion(changes: Partial<FormElicitationRequest> = {}): FormElicitationRequest {
  return formRequest({
    message: "Which layout?",
    requestedSchema: {
      type: "object",
      required: ["layout"],
      properties: {
        layout: {
          type: "string",
          title: "Layout",
          oneOf: [
            {
              const: "table",
              title: "Table",
              description: "One row for each change",
              preview: "| Change   | Since |\n| -------- | ----- |\n| Previews |   0.1 |",
            },
            { const: "list", title: "List", preview: "Changes in 0.1\n\n- Previews of options\n- More time" },
            { const: "text", title: "Text", description: "A few sentences" },
          ],
        },
      },
    },
    ...changes,
  });
}

/** An approval of a tool call, as `askFirst` asks for it. The user may change the amount. */
export function reviewRequest(changes: Partial<FormElicitationRequest> = {}): FormElicitationRequest {
  return formRequest({
    message: "Refund an order\n\nOrder: A-1742\nNotify the customer: yes",
    context: {
      trigger: "tool",
      layout: "form",
      review: {
        subject: "Refund an order",
        rows: [
          { label: "Order", value: "A-1742" },
          { label: "Notify the customer", value: true },
        ],
      },
    },
    requestedSchema: {
      type: "object",
      properties: { euros: { type: "number", title: "Amount in euros", exclusiveMinimum: 0, default: 42 } },
      required: ["euros"],
    },
    ...changes,
  });
}
