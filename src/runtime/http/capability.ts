import { SUPPORTS_ELICITATION_HEADER } from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";
import type { SupportedModes } from "../request/question.ts";

const NONE: SupportedModes = { url: false, form: false };

/**
 * The modes that the client says it can show (contract, section 2). The header declares both modes.
 * `capabilities.elicitation` of the body names single modes and overrides the header. `{}` means form, as in MCP.
 */
export function supportedModes(headers: Headers, capabilities: unknown): SupportedModes {
  const elicitation =
    isObject(capabilities) && Object.hasOwn(capabilities, "elicitation")
      ? capabilities["elicitation"]
      : undefined;
  if (elicitation === undefined) {
    const both = headers.get(SUPPORTS_ELICITATION_HEADER) === "true";
    return both ? { url: true, form: true } : NONE;
  }
  if (!isObject(elicitation)) return NONE;
  const names = (mode: string) => Object.hasOwn(elicitation, mode) && isObject(elicitation[mode]);
  return { url: names("url"), form: names("form") || Object.keys(elicitation).length === 0 };
}
