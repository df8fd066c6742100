import { ACTIONS } from "../../src/connect/page/layout/style/actions.ts";
import { MESSAGE } from "../../src/connect/page/layout/style/conditions.ts";
import { SHEET } from "../../src/connect/page/layout/style/sheet.ts";
import { TOKENS_CSS } from "../../src/look/tokens.ts";

/** Styles for tables, figures and facts, which are wider than the sheet of the hosted page. */
const OPERATOR = `main {
  gap: 0;
  padding: 0;
}
a {
  color: inherit;
  text-underline-offset: 0.2em;
  text-decoration-color: var(--elicit-border);
}
.brand .where {
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  text-decoration: none;
}
.mode {
  display: inline-flex;
  gap: 0.375rem;
  align-items: center;
  margin-inline-start: auto;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
}
.unseen {
  position: absolute;
  clip-path: inset(50%);
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
}
.figures {
  display: grid;
  grid-template-columns: repeat(6, 1fr);
  gap: 1px;
  border-block-end: 1px solid var(--elicit-line);
  background: var(--elicit-line);
}
.figures > div {
  padding: 1rem 1.5rem;
  background: var(--elicit-surface);
}
dt,
th,
.none,
.asof,
.notices {
  color: var(--elicit-muted);
  font-size: var(--elicit-size-xs);
  font-weight: 500;
  line-height: 1.125rem;
}
.figures dd {
  font: 600 1.25rem/1.75rem var(--elicit-font);
  font-variant-numeric: tabular-nums;
}
small {
  color: var(--elicit-muted);
  font-size: var(--elicit-size-xs);
  font-weight: 400;
}
.columns {
  display: grid;
  grid-template-columns: minmax(0, 1fr) 18.75rem;
}
.columns > div {
  padding: 0 1.5rem 1.5rem;
}
.columns > div + div {
  border-inline-start: 1px solid var(--elicit-line);
}
h2 {
  margin-block: 1.25rem 0.5rem;
  font-size: 0.9375rem;
  font-weight: 600;
}
table {
  inline-size: 100%;
  border-collapse: collapse;
  font-size: var(--elicit-size-sm);
  line-height: 1.125rem;
}
th,
td {
  padding: 0.5rem 0.75rem 0.5rem 0;
  border-block-end: 1px solid var(--elicit-line);
  text-align: start;
  vertical-align: top;
  font-variant-numeric: tabular-nums;
}
th {
  padding-block: 0.375rem;
}
td:first-child {
  font-weight: 500;
}
[aria-label="Processes"] thead {
  display: none;
}
code {
  font: 400 var(--elicit-size-xs) / 1.125rem var(--elicit-font-mono);
}
.state {
  display: inline-flex;
  gap: 0.375rem;
  align-items: flex-start;
}
.state .icon {
  margin-block-start: 0.0625rem;
  color: var(--elicit-muted);
}
.state[data-kind="good"] .icon {
  color: var(--elicit-success);
}
.state[data-kind="bad"] .icon {
  color: var(--elicit-danger);
}
.facts {
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0 1.5rem;
  padding: 0.5rem 1rem;
  border: 1px solid var(--elicit-line);
  border-radius: var(--elicit-radius-control);
}
.facts > div {
  display: grid;
  grid-template-columns: 6.5rem minmax(0, 1fr);
  padding-block: 0.25rem;
}
.facts dd {
  font-size: var(--elicit-size-sm);
  line-height: 1.125rem;
}
.more,
section > .none,
section > table + .none {
  margin-block-start: 0.5rem;
  font-size: var(--elicit-size-sm);
}
.facts + table {
  margin-block-start: 0.5rem;
}
.limits {
  display: grid;
  gap: 0.625rem;
}
.limits > div {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  font-size: var(--elicit-size-sm);
}
.limits .meter {
  grid-column: 1 / -1;
}
meter {
  inline-size: 100%;
  block-size: 0.375rem;
  border: 0;
  border-radius: 0.1875rem;
  background: var(--elicit-line);
  appearance: none;
}
meter::-webkit-meter-inner-element {
  position: relative;
  display: block;
}
meter::-webkit-meter-bar {
  block-size: 0.375rem;
  border: 0;
  border-radius: 0.1875rem;
  background: var(--elicit-line);
}
meter::-webkit-meter-optimum-value {
  border-radius: 0.1875rem;
  background: var(--elicit-text);
}
meter::-moz-meter-bar {
  border-radius: 0.1875rem;
  background: var(--elicit-text);
}
.notices {
  display: grid;
  gap: 0.25rem;
  list-style: none;
}
.asof {
  padding: 0.75rem 1.5rem;
  border-block-start: 1px solid var(--elicit-line);
}
.one {
  display: grid;
  gap: 0.75rem;
  inline-size: min(60rem, 100%);
  margin-inline: auto;
  padding: 1.25rem 1.5rem 2rem;
}
.one h1 {
  font-size: var(--elicit-size-xl);
  line-height: 1.75rem;
}
.one h2 {
  margin-block: 0.5rem -0.25rem;
}
.one form {
  display: flex;
  gap: 0.75rem;
  align-items: center;
}
.one form button {
  flex: none;
  inline-size: auto;
}
.message {
  min-block-size: 80dvh;
  align-content: center;
  padding-inline: 1.5rem;
}
@media (width < 60rem) {
  .figures {
    grid-template-columns: repeat(3, 1fr);
  }
  .columns {
    grid-template-columns: minmax(0, 1fr);
  }
  .columns > div + div {
    border-inline-start: 0;
    border-block-start: 1px solid var(--elicit-line);
  }
}
@media (width < 40rem) {
  .figures {
    grid-template-columns: repeat(2, 1fr);
  }
  .figures > div,
  .brand,
  .columns > div,
  .one,
  .asof {
    padding-inline: 1rem;
  }
  .facts {
    grid-template-columns: minmax(0, 1fr);
  }
  .mode {
    flex-basis: 100%;
    margin-inline-start: 0;
  }
  table,
  tbody {
    display: block;
  }
  thead {
    position: absolute;
    clip-path: inset(50%);
  }
  tr {
    display: grid;
    padding-block: 0.5rem;
    border-block-end: 1px solid var(--elicit-line);
  }
  td {
    display: grid;
    grid-template-columns: 6.5rem minmax(0, 1fr);
    padding: 0.125rem 0;
    border: 0;
  }
  td::before {
    color: var(--elicit-muted);
    content: attr(data-label);
    font-weight: 400;
  }
  .one form {
    display: grid;
  }
}
@media (prefers-reduced-motion: reduce) {
  * {
    transition: none !important;
  }
}
@media (forced-colors: active) {
  meter {
    appearance: auto;
  }
}
`;

/** The inline style of every page. The tokens define the colour of the brand. */
export function operatorStyle(accentCss: string): string {
  return `${TOKENS_CSS}
:root {
  --page-primary-edge: var(--elicit-accent);
}
${accentCss}${SHEET}${ACTIONS}${MESSAGE}${OPERATOR}`;
}
