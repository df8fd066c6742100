import type { JsonObject, SlackState } from "../state.ts";
import { Markup } from "./markup.tsx";

type Known = Pick<SlackState, "people" | "app">;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const wordsOf = (value: unknown): string =>
  isObject(value) && typeof value["text"] === "string" ? value["text"] : "";

/** A text object of Block Kit: plain text, or mrkdwn. */
function TextObject({ value, state }: { value: unknown; state: Known }): React.JSX.Element {
  const text = wordsOf(value);
  return isObject(value) && value["type"] === "mrkdwn" ? (
    <Markup text={text} state={state} />
  ) : (
    <span className="markup">{text}</span>
  );
}

/** The blocks of a message or modal of the kit, except inputs. */
export function Blocks({
  blocks,
  state,
  onPress,
}: {
  blocks: readonly JsonObject[];
  state: Known;
  onPress?: (actionId: string) => Promise<void>;
}): React.JSX.Element {
  return (
    <>
      {blocks.map((block, index) => (
        <Block key={stringOf(block["block_id"]) || index} block={block} state={state} onPress={onPress} />
      ))}
    </>
  );
}

function Block({
  block,
  state,
  onPress,
}: {
  block: JsonObject;
  state: Known;
  onPress?: ((actionId: string) => Promise<void>) | undefined;
}): React.ReactNode {
  const elements = Array.isArray(block["elements"]) ? block["elements"].filter(isObject) : [];
  switch (block["type"]) {
    case "header":
      return <h3>{wordsOf(block["text"])}</h3>;
    case "section":
      return (
        <p className="section">
          <TextObject value={block["text"]} state={state} />
        </p>
      );
    case "context":
      return (
        <p className="context">
          {elements.map((element, index) => (
            <TextObject key={index} value={element} state={state} />
          ))}
        </p>
      );
    case "actions":
      return (
        <p className="actions">
          {elements.map((element) => (
            <Button key={stringOf(element["action_id"])} element={element} onPress={onPress} />
          ))}
        </p>
      );
    case "markdown":
      return (
        <p className="section">
          <Markup text={String(block["text"])} state={state} />
        </p>
      );
    default:
      return null;
  }
}

/** A button with a link opens it in a new tab. Slack reports the click to the app, too. */
function Button({
  element,
  onPress,
}: {
  element: JsonObject;
  onPress?: ((actionId: string) => Promise<void>) | undefined;
}): React.JSX.Element {
  const shared = {
    "data-style": stringOf(element["style"]),
    onClick: () => void onPress?.(stringOf(element["action_id"])),
  };
  const words = wordsOf(element["text"]);
  const url = stringOf(element["url"]);
  if (url === "")
    return (
      <button type="button" {...shared}>
        {words}
      </button>
    );
  return (
    <a className="button" href={url} target="_blank" rel="noopener" {...shared}>
      {words}
    </a>
  );
}
