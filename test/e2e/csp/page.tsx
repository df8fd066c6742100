import "elicit-kit/styles.css";
import { Elicitations } from "elicit-kit";
import { ElicitationDialog } from "elicit-kit/dialog";
import { createRoot } from "react-dom/client";
import { CONVERSATION, createScript } from "../../../src/client/testing/scripted-client.ts";
import { formRequest, urlRequest } from "../../../src/contract/testing/requests.ts";

/** Every control of the kit, and a link with warnings. */
const inline = createScript({
  requests: [
    urlRequest({
      url: "https://xn--bcher-kva.example:8443/",
      requester: { name: "Acme", claimedName: "Bank" },
    }),
    formRequest({
      context: { trigger: "tool", fields: { volume: { control: "slider" }, stars: { control: "rating" } } },
      requestedSchema: {
        type: "object",
        properties: {
          name: { type: "string", title: "Name" },
          story: { type: "string", title: "Story", maxLength: 900 },
          day: { type: "string", title: "Day", format: "date" },
          when: { type: "string", title: "When", format: "date-time" },
          volume: { type: "integer", title: "Volume", minimum: 0, maximum: 9 },
          stars: { type: "integer", title: "Stars", minimum: 1, maximum: 5 },
          yes: { type: "boolean", title: "Newsletter" },
          size: { type: "string", title: "Size", enum: ["S", "M", "L"] },
          month: { type: "string", title: "Month", enum: [..."JFMAYUGSOND"] },
          city: { type: "string", title: "City", enum: Array.from({ length: 30 }, (_, n) => `City ${n}`) },
          tags: { type: "array", title: "Tags", items: { type: "string", enum: ["a", "b"] } },
          token: { type: "string", title: "API token" },
        },
        required: ["name"],
      },
    }),
  ],
});
const modal = createScript();

function Page() {
  return (
    <main>
      <button type="button" onClick={() => modal.ask(urlRequest({ elicitationId: "modal" }))}>
        Ask in a dialog
      </button>
      <Elicitations client={inline.client} conversationId={CONVERSATION} />
      <ElicitationDialog client={modal.client} conversationId={CONVERSATION} />
    </main>
  );
}

const root = document.querySelector("#root");
if (root !== null) createRoot(root).render(<Page />);
