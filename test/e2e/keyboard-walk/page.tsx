import "elicit-kit/styles.css";
import "elicit-kit/dock.css";
import "elicit-kit/inbox.css";
import { Elicitations } from "elicit-kit";
import { ElicitationInbox } from "elicit-kit/cards";
import { ElicitationDialog } from "elicit-kit/dialog";
import { createRoot } from "react-dom/client";
import { CONVERSATION, createScript } from "../../../src/client/testing/scripted-client.ts";
import { asked, createFakeInbox } from "../../../src/client/testing/fake-inbox.ts";
import { formRequest, ownWordsQuestion, urlRequest } from "../../../src/contract/testing/requests.ts";

/** Every control in one form. */
const CONTROLS = formRequest({
  context: {
    trigger: "tool",
    layout: "form",
    fields: { volume: { control: "slider" }, stars: { control: "rating" } },
  },
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name" },
      mail: { type: "string", title: "Mail", format: "email" },
      story: { type: "string", title: "Story", maxLength: 900 },
      count: { type: "integer", title: "Count" },
      day: { type: "string", title: "Day", format: "date" },
      volume: { type: "integer", title: "Volume", minimum: 0, maximum: 9 },
      stars: { type: "integer", title: "Stars", minimum: 1, maximum: 5 },
      yes: { type: "boolean", title: "Newsletter" },
      size: { type: "string", title: "Size", enum: ["S", "M", "L"] },
      month: { type: "string", title: "Month", enum: [..."JFMAYUGSOND"] },
      city: { type: "string", title: "City", enum: Array.from({ length: 30 }, (_, n) => `City ${n}`) },
      tags: { type: "array", title: "Tags", items: { type: "string", enum: ["a", "b"] } },
    },
    required: ["name"],
  },
});

/** Four questions, one at a time. */
const STEPS = formRequest({
  requestedSchema: {
    type: "object",
    properties: {
      street: { type: "string", title: "Street" },
      town: { type: "string", title: "Town" },
      speed: { type: "string", title: "Speed", enum: ["Slow", "Fast"] },
      note: { type: "string", title: "Note" },
    },
    required: ["street", "town", "speed"],
  },
});

const city = { type: "string", title: "City" } as const;
const QUESTION = formRequest({
  elicitationId: "question",
  requestedSchema: { type: "object", properties: { city }, required: ["city"] },
});

const inbox = createFakeInbox({
  questions: [asked("trip", QUESTION, 2), asked("trip", ownWordsQuestion({ elicitationId: "seat" }), 65)],
});

function Page() {
  const view = location.search.slice(1);
  const requests = { controls: [CONTROLS], steps: [STEPS], words: [ownWordsQuestion()] }[view] ?? [
    QUESTION,
    urlRequest(),
  ];
  const script = createScript({ requests });
  const props = { client: script.client, conversationId: CONVERSATION };
  if (view === "dialog") {
    const later = createScript();
    return (
      <main>
        <button type="button" onClick={() => later.ask(QUESTION)}>
          Ask
        </button>
        <ElicitationDialog client={later.client} conversationId={CONVERSATION} />
      </main>
    );
  }
  return (
    <main>
      <button type="button">Before</button>
      {view === "inbox" ? (
        <ElicitationInbox client={inbox.client} />
      ) : view === "dock" ? (
        <Elicitations {...props} placement="composer">
          <label>
            Message <textarea />
          </label>
        </Elicitations>
      ) : (
        <Elicitations {...props} />
      )}
      <button type="button">After</button>
    </main>
  );
}

const root = document.querySelector("#root");
if (root !== null) createRoot(root).render(<Page />);
