import { KitError } from "../../contract/kit-error.ts";

/** Thrown when a question cannot be asked as written. The message tells the tool's author what to change. */
export class ElicitorError extends KitError {
  override readonly name = "ElicitorError";
}
