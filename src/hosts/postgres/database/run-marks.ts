/** In place of a process in `runs`: the turn was stopped before any process ran it. */
export const NOBODY = "0";
/** Any process may claim the turn. */
export const FREE = "1";
/** The turn waits for the user. Ending one of its requests frees it. The keys of processes are greater. */
export const PARKED = "2";
