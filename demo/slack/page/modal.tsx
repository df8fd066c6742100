import { useEffect, useRef, useState } from "react";
import type { Act } from "../act.ts";
import type { JsonObject, SlackState } from "../state.ts";
import { Blocks, isObject, wordsOf } from "./blocks.tsx";
import { Input } from "./input.tsx";

const NOBODY = { people: [], app: "" };

/** The modal on top of a user's Slack. */
export function Modal({
  shown,
  notice,
  act,
}: {
  shown: NonNullable<SlackState["view"]>;
  /** The reason of a refusal by Slack. A modal covers the rest of the page. */
  notice: string;
  act: (act: Act) => Promise<unknown>;
}): React.JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const { view, values, errors } = shown;
  const blocks = Array.isArray(view["blocks"]) ? view["blocks"].filter(isObject) : [];
  const errorOf = (block: JsonObject): string | undefined => errors[String(block["block_id"])];
  return (
    <dialog
      ref={dialog}
      aria-labelledby="modal-title"
      onCancel={(event) => {
        event.preventDefault();
        void act({ do: "close" });
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setBusy(true);
          void act({ do: "submit" }).finally(() => setBusy(false));
        }}
      >
        <h2 id="modal-title">{wordsOf(view["title"])}</h2>
        {blocks.map((block, index) =>
          block["type"] === "input" && isObject(block["element"]) ? (
            <Input
              key={String(block["block_id"])}
              label={wordsOf(block["label"])}
              hint={wordsOf(block["hint"])}
              isOptional={block["optional"] === true}
              element={block["element"]}
              value={Object.values(values[String(block["block_id"])] ?? {})[0] ?? {}}
              error={errorOf(block)}
              act={act}
            />
          ) : (
            <Blocks
              key={index}
              blocks={[block]}
              state={NOBODY}
              onPress={async (button) => void (await act({ do: "press", button }))}
            />
          ),
        )}
        {notice !== "" && <p role="alert">{notice}</p>}
        <p className="actions">
          <button type="button" onClick={() => void act({ do: "close" })}>
            {wordsOf(view["close"])}
          </button>
          {view["submit"] !== undefined && (
            <button type="submit" data-style="primary" disabled={isBusy}>
              {wordsOf(view["submit"])}
            </button>
          )}
        </p>
      </form>
    </dialog>
  );
}
