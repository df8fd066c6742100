/** Stands in `runs` in place of a process: the turn was stopped before any process ran it. */
export const NOBODY = "0";
/** Any process may claim the turn. */
export const FREE = "1";
/**
 * The turn waits for the user. The end of one of its requests frees it. Keys of processes are greater than this number.
 */
export const PARKED = "2";
