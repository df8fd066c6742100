import type { ClientContext } from "./client-options.ts";
import type { Proposal } from "./elicitation.ts";

/** Fills in forms from sentences of the user. A later sentence replaces one that is still being read. */
export function createProposals({
  channel,
  store,
  signal,
}: ClientContext): (id: string, text: string) => Promise<boolean> {
  const latest = new Map<string, symbol>();

  return async (id, text) => {
    const { fields = [], request, takesSentence } = store.getKnown(id);
    if (takesSentence !== true || text.trim() === "") return false;
    const own = Symbol(id);
    latest.set(id, own);
    const tell = (proposal: Proposal): void => {
      if (latest.get(id) === own) store.dispatch(id, { type: "proposed", proposal });
    };
    tell({ state: "asking" });
    try {
      // Loaded on demand, because most pages never need it.
      const [proposed, { fitContent }] = await Promise.all([
        channel.propose?.(id, text, { signal }),
        import("../form/fit-content.ts"),
      ]);
      const content = fitContent({ fields, message: request.message }, proposed);
      const isFilled = Object.keys(content).length > 0;
      tell(isFilled ? { state: "filled", content } : { state: "nothing" });
      // A later sentence, or an answer, may have replaced it.
      return isFilled && store.get(id)?.proposal?.content === content;
    } catch {
      tell({ state: "failed" });
      return false;
    }
  };
}

/** Deletes the remembered answer that was used for a request. Resolves with whether the server has done it. */
export async function forgetAnswer({ channel, store, signal }: ClientContext, id: string): Promise<boolean> {
  const { remembered } = store.getKnown(id).request.resolution ?? {};
  if (remembered === undefined || channel.forget === undefined) return false;
  try {
    await channel.forget(remembered, { signal });
    return true;
  } catch {
    return false;
  }
}
