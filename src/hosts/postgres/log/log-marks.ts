/**
 * Each write of a log has a mark: the writer, and a number that increases. The row of a turn has the mark of its last
 * write. A write that arrives again, or late, has a number that is not higher, and is refused.
 */
export function createLogMarks(): () => string {
  const origin = crypto.randomUUID();
  let count = 0;
  return () => {
    count += 1;
    return `${origin} ${count}`;
  };
}

/** SQL: whether a write with `mark` has not been made yet. `last`: the mark of the last write. */
export const isNewMark = (mark: string, last: string) =>
  `(split_part(${last}, ' ', 1) is distinct from split_part(${mark}, ' ', 1)
    or split_part(${last}, ' ', 2)::bigint < split_part(${mark}, ' ', 2)::bigint)`;
