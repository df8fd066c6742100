import { expect, waitFor, within } from "storybook/test";
import preview from "../.storybook/preview.tsx";
import { HostCard, type HostCardProps } from "./host-card.tsx";
import { dark, narrow, rtl } from "./looks.ts";

const ASKED = "The card asks, and the call waits";
const ANSWERED = "Answered: the call continues";
const HANDED = "The call has returned, and the card continues it";
const ENDED = "An old conversation, opened again";

const FRAMES = [
  { frame: "asked", name: ASKED },
  { frame: "page", name: "A page: its whole address, and a button" },
  { frame: "answered", name: ANSWERED },
  { frame: "handed", name: HANDED },
  { frame: "ended", name: ENDED },
] as const;

export interface FramesProps extends Pick<HostCardProps, "catalogue"> {
  theme?: HostCardProps["theme"];
}

function Frames({ theme = "light", catalogue }: FramesProps) {
  return (
    <div className="book-hosts">
      {FRAMES.map(({ frame, name }) => (
        <HostCard key={frame} name={name} frame={frame} theme={theme} catalogue={catalogue} />
      ))}
    </div>
  );
}

/**
 * The card in another company's chat that supports MCP Apps and no elicitation, like claude.ai. The chat is a host built
 * on the AppBridge of ext-apps, and the server runs in this page. Both are real code, not mocks.
 */
const meta = preview.meta({
  title: "Pages/In another host",
  parameters: { column: false },
  component: Frames,
  decorators: [
    (Story, { args, globals }) => (
      <Story args={{ ...args, theme: globals["theme"] === "dark" ? "dark" : "light" }} />
    ),
  ],
});

/** The card, inside its frame. */
async function cardOf(canvas: ReturnType<typeof within>, name: string) {
  const view: unknown = canvas.getByTitle(`Card: ${name}`);
  if (!(view instanceof HTMLIFrameElement)) throw new Error("the card is in no frame");
  await waitFor(() => expect(view.contentDocument?.querySelector(".elicit-card")).toBeTruthy());
  const { contentDocument } = view;
  if (contentDocument === null) throw new Error("the card is of another origin");
  // The height of the host's frame is the height of the card.
  await waitFor(() => expect(view.clientHeight).toBe(contentDocument.getElementById("card")?.clientHeight));
  return within(contentDocument.body);
}

export const All = meta.story({});

All.test("the answer reaches the call that waits", async ({ canvas, userEvent }) => {
  const card = await cardOf(canvas, ASKED);
  await userEvent.click(await card.findByRole("button", { name: "Send" }));
  await expect(await canvas.findByText("The courier comes tomorrow, to Lisbon.")).toBeVisible();
});

All.test("a card after the result speaks for the user", async ({ canvas, userEvent }) => {
  const card = await cardOf(canvas, HANDED);
  await userEvent.click(await card.findByRole("button", { name: "Send" }));
  const said = await canvas.findByText(/Its result: The courier comes tomorrow, to Lisbon\./);
  await expect(said).toHaveAttribute("data-by", "user");
});

All.test("an answered card says so, and an old one has ended", async ({ canvas }) => {
  const answered = await cardOf(canvas, ANSWERED);
  await expect(await answered.findByText("Sent")).toBeVisible();
  const ended = await cardOf(canvas, ENDED);
  await expect(await ended.findByText("The request expired")).toBeVisible();
  await expect(ended.queryByRole("button")).toBeNull();
});

// For the tests only: axe finds no violation in any look of the toolbar.
export const Dark = All.extend({ ...dark, tags: ["!dev"] });
export const Rtl = All.extend({ ...rtl, tags: ["!dev"] });
export const Narrow = All.extend({ ...narrow, tags: ["!dev"] });
