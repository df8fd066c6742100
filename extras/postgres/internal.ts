/** For the other hosts of the kit that use PostgreSQL. */
export { isAboutData } from "./database/failures.ts";
