/** Whose client reads what in this process: a conversation, or without one the inbox. */
export interface Viewer {
  readonly userId: string;
  readonly conversationId?: string | undefined;
}

/** The clients that have a stream open in this process, and can show a request. */
export interface Viewers {
  /** Returns a function that ends it. */
  enter(viewer: Viewer): () => void;
  list(): readonly Viewer[];
}

export function createViewers(): Viewers {
  const viewers = new Set<Viewer>();
  return {
    enter(viewer) {
      // An object of its own for every stream: the same user may read twice.
      const entry = { ...viewer };
      viewers.add(entry);
      return () => void viewers.delete(entry);
    },
    list: () => [...viewers],
  };
}
