import { TOKENS_CSS } from "../../../look/tokens.ts";
import { ACCOUNTS } from "./style/accounts.ts";
import { ACTIONS } from "./style/actions.ts";
import { CONDITIONS, MESSAGE } from "./style/conditions.ts";
import { FORM } from "./style/form.ts";
import { REQUEST } from "./style/request.ts";
import { SHEET } from "./style/sheet.ts";
import { WARNINGS } from "./style/warnings.ts";

/** The inline style of every page. The style of the brand's colour follows the tokens and comes before the rules. */
export function styleOf(accentCss: string): string {
  return `${TOKENS_CSS}
:root {
  --page-primary-edge: var(--elicit-accent);
}
${accentCss}${SHEET}${REQUEST}${WARNINGS}${ACCOUNTS}${ACTIONS}${FORM}${MESSAGE}${CONDITIONS}`;
}
