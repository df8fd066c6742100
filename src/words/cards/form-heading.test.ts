import { describe, expect, it } from "vitest";
import { formRequest, question, urlRequest } from "../../contract/testing/requests.ts";
import { formHeadingOf } from "./form-heading.ts";

const withTitle = (title: string, message = "Where should the parcel go?") => {
  const request = formRequest({ message });
  return { ...request, requestedSchema: { ...request.requestedSchema, title } };
};

describe("the heading of a form", () => {
  it("is the title of the form", () => {
    expect(formHeadingOf(withTitle("Parcel"))).toEqual({ text: "Parcel", from: "title" });
  });

  it("is shown once if the title and the message are the same", () => {
    expect(formHeadingOf(withTitle("Where to?", "Where to? "))).toEqual({
      text: "Where to?",
      from: "message",
    });
  });

  it("is the message if that is short and there is no title", () => {
    expect(formHeadingOf(formRequest())).toEqual({ text: "Where should the parcel go?", from: "message" });
  });

  it.each([
    ["long", "x".repeat(81)],
    ["of several lines", "One\nTwo"],
    ["empty", " "],
  ])("is not a message that is %s", (_name, message) => {
    expect(formHeadingOf(formRequest({ message }))).toBeUndefined();
  });

  it.each(["Delete the branch?", "ブランチを削除しますか？", "هل تحذف الفرع؟"])(
    "is the label of a single yes-or-no question: %s",
    (title) => {
      const asked = question({ type: "boolean", title }, true);
      expect(formHeadingOf(asked)).toEqual({ text: title, from: "question" });
    },
  );

  it("is the message if the label of a single yes-or-no question is not a question", () => {
    const asked = question({ type: "boolean", title: "Your answer" }, true);
    expect(formHeadingOf(asked)?.from).toBe("message");
  });

  it("is never text of a third party", () => {
    const requester = { name: "Acme", claimedName: "GitHub" };
    expect(formHeadingOf({ ...withTitle("GitHub"), requester })).toBeUndefined();
    expect(formHeadingOf(formRequest({ requester }))).toBeUndefined();
  });

  it("is missing for a page", () => {
    expect(formHeadingOf(urlRequest())).toBeUndefined();
  });
});
