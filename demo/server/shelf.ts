/** A store of JSON values, by user and by an id within the user's values. */
export interface Shelf<Value> {
  get: (person: string, id: string) => Promise<Value | undefined>;
  /** Changes a value atomically, also if others change it at the same time. `undefined` leaves it as it is. */
  change: (
    person: string,
    id: string,
    change: (value: Value | undefined) => Value | undefined,
  ) => Promise<void>;
  /** Removes all values of a user. */
  clear: (person: string) => Promise<void>;
}

/** All values of a memory shelf: by user, then by id. */
export type ShelfContent<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** A shelf for one process. `keep` receives all values after each change. */
export function createMemoryShelf<Value>({
  known = {},
  keep = () => Promise.resolve(),
}: {
  known?: ShelfContent<Value> | undefined;
  keep?: ((content: ShelfContent<Value>) => Promise<void>) | undefined;
} = {}): Shelf<Value> {
  const people = new Map(
    Object.entries(known).map(([person, own]) => [person, new Map(Object.entries(own))]),
  );
  const content = (): ShelfContent<Value> =>
    Object.fromEntries([...people].map(([person, own]) => [person, Object.fromEntries(own)]));
  return {
    get: async (person, id) => people.get(person)?.get(id),
    async change(person, id, change) {
      const own = people.get(person) ?? new Map<string, Value>();
      const next = change(own.get(id));
      if (next === undefined) return;
      own.set(id, next);
      people.set(person, own);
      await keep(content());
    },
    async clear(person) {
      people.delete(person);
      await keep(content());
    },
  };
}
