import type { Clock } from "../../../src/base/clock.ts";
import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import type { DraftStore } from "../../../src/runtime/internal.ts";
import { readRemember } from "../blocks/remember-box.ts";
import type { ModalOptions } from "../blocks/request-modal.ts";
import { readDrafts } from "./submission.ts";

/** How long the values that a user has typed are kept. */
const KEPT_MS = 60 * 60_000;
const MOST = 1000;

/**
 * The values that users have typed into open modals, so that a modal that was closed by mistake opens with them again.
 */
export interface TypedValues {
  /** Stores `view.state.values` of a modal for an hour. */
  keep(elicitationId: string, values: unknown): Promise<void>;
  /** The initial values of the modal of a request. */
  typedFor(request: ElicitationRequest): Promise<Pick<ModalOptions, "drafts" | "remember">>;
  forget(elicitationId: string): Promise<void>;
}

/** Reports errors of the store. Questions and answers work without it. */
export function createTypedValues(options: {
  readonly store: DraftStore;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}): TypedValues {
  const { store, clock, onError } = options;
  return {
    keep: (elicitationId, values) =>
      store.set(elicitationId, JSON.stringify(values ?? {}), clock.now() + KEPT_MS).catch(onError),
    async typedFor(request) {
      if (request.mode !== "form") return {};
      try {
        const typed = await store.get(request.elicitationId);
        if (typed === undefined) return {};
        const values: unknown = JSON.parse(typed);
        return { drafts: readDrafts(request, values), remember: readRemember(values) };
      } catch (error) {
        onError(error);
        return {};
      }
    },
    forget: (elicitationId) => store.delete(elicitationId).catch(onError),
  };
}

/** Keeps drafts in memory, of the newest 1,000 forms. */
export function createMemoryDrafts(clock: Clock): DraftStore {
  const kept = new Map<string, { readonly draft: string; readonly expiresAt: number }>();
  return {
    async set(elicitationId, draft, expiresAt) {
      kept.delete(elicitationId);
      kept.set(elicitationId, { draft, expiresAt });
      for (const [id, oldest] of kept) {
        if (kept.size <= MOST && clock.now() < oldest.expiresAt) break;
        kept.delete(id);
      }
    },
    async get(elicitationId) {
      const found = kept.get(elicitationId);
      return found !== undefined && clock.now() < found.expiresAt ? found.draft : undefined;
    },
    async delete(elicitationId) {
      kept.delete(elicitationId);
    },
  };
}
