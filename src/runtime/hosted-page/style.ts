import { TOKENS_CSS } from "../../look/tokens.ts";

/** The page's style, served from /auth/connect.css. The brand's colour follows the tokens and goes before the rules. */
export function styleOf(accentCss: string): string {
  return `${TOKENS_CSS}
:root {
  --page-primary-edge: var(--elicit-accent);
}
${accentCss}${RULES}`;
}

const RULES = `* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
body {
  margin: 0;
  background: var(--elicit-surface);
  color: var(--elicit-text);
  font: 400 0.9375rem/1.375rem var(--elicit-font);
  overflow-wrap: anywhere;
}
h1,
h2,
p,
ul,
dl,
dd {
  margin: 0;
  padding: 0;
}
.icon {
  flex: none;
  inline-size: 1rem;
  block-size: 1rem;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.5;
  stroke-linecap: round;
  stroke-linejoin: round;
}
[dir="rtl"] .icon[data-flip] {
  scale: -1 1;
}

/* The sheet: brand, then one question. On a phone and in a popup it is the whole window. */
.sheet {
  display: grid;
  grid-template: auto 1fr / minmax(0, 1fr);
  min-block-size: 100dvh;
}
.brand {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 0.625rem;
  align-items: center;
  padding: 0.875rem 1.5rem;
  border-block-end: 1px solid var(--elicit-line);
  font-size: var(--elicit-size-md);
  line-height: 1.25rem;
}
.brand .name {
  font-weight: 600;
}
.brand .host {
  margin-inline-start: auto;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-xs);
}
.brand .host:only-child {
  margin-inline-start: 0;
}
.logo {
  display: grid;
  place-items: center;
  inline-size: 1.5rem;
  block-size: 1.5rem;
  border-radius: 0.375rem;
  object-fit: contain;
  font-size: var(--elicit-size-md);
  font-weight: 600;
}
.logo[data-letter] {
  border: 1px solid var(--page-primary-edge);
  background: var(--elicit-accent);
  color: var(--elicit-on-accent);
}
main,
main > div[id] {
  display: flex;
  flex-direction: column;
  gap: 1.25rem;
}
main {
  padding: 1.5rem 1.5rem 1.25rem;
}
main > div[id] {
  flex: 1;
}

/* Who asks whom */
.pair {
  display: flex;
  gap: 0.625rem;
  align-items: center;
  margin-block-end: 1rem;
}
.pair i {
  inline-size: 2.25rem;
  border-block-start: 2px dotted var(--elicit-border);
}
.tile {
  display: grid;
  place-items: center;
  inline-size: 3rem;
  block-size: 3rem;
  overflow: clip;
  border-radius: calc(var(--elicit-radius) * 0.72);
  background: var(--elicit-inset);
  box-shadow: inset 0 0 0 1px var(--elicit-line);
  font-size: 1.25rem;
  font-weight: 600;
}
.tile .icon {
  inline-size: 1.625rem;
  block-size: 1.625rem;
}
.tile img {
  inline-size: 100%;
  block-size: 100%;
  object-fit: contain;
}
h1 {
  font-size: 1.375rem;
  font-weight: 600;
  line-height: 1.75rem;
  letter-spacing: -0.018em;
  text-wrap: balance;
}
:lang(ar) h1,
:lang(ja) h1 {
  letter-spacing: 0;
}
.lead {
  margin-block-start: 0.25rem;
  color: var(--elicit-muted);
}
b {
  color: var(--elicit-text);
  font-weight: 500;
}

h2 {
  margin-block-end: 0.625rem;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  font-weight: 500;
  line-height: 1.125rem;
}
.scopes {
  display: grid;
  gap: 0.5rem;
  list-style: none;
}
.scopes li {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.625rem;
}
.scopes .icon {
  margin-block: 0.1875rem;
  color: var(--elicit-success);
}

.facts {
  border: 1px solid var(--elicit-line);
  border-radius: var(--elicit-radius-control);
  font-size: var(--elicit-size-md);
  line-height: 1.25rem;
}
.facts > div {
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.75rem;
  align-items: center;
  padding: 0.5rem 0.75rem;
}
.facts > div + div {
  border-block-start: 1px solid var(--elicit-line);
}
.facts dt {
  flex: 0 0 7.5rem;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
}
.facts dd {
  display: flex;
  flex: 1;
  flex-wrap: wrap;
  gap: 0 0.75rem;
  align-items: center;
  min-inline-size: min(9rem, 100%);
  font-weight: 500;
}
:is(.facts form, .facts dd > button) {
  margin-inline-start: auto;
}
code {
  font: 400 var(--elicit-size-sm) / 1.25rem var(--elicit-font-mono);
}

.alert {
  display: flex;
  gap: 0.625rem;
  padding: 0.625rem 0.75rem;
  border: 1px solid var(--elicit-danger-line);
  border-radius: var(--elicit-radius-control);
  background: var(--elicit-danger-surface);
  font-size: var(--elicit-size-md);
  line-height: 1.25rem;
}
.alert .icon {
  margin-block-start: 0.125rem;
  color: var(--elicit-danger);
}
.note,
.hint {
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  line-height: 1.125rem;
}
.note {
  display: flex;
  gap: 0.625rem;
}
.note .icon {
  margin-block-start: 0.0625rem;
}

.foot {
  display: grid;
  gap: 0.75rem;
  margin-block-start: auto;
  padding-block-start: 0.5rem;
}
.message ~ .foot {
  margin-block-start: 0;
}
.foot > .hint {
  text-align: center;
}
.actions {
  display: flex;
  flex-wrap: wrap;
  gap: 0.625rem;
}
.actions > * {
  flex: 1 1 auto;
  inline-size: auto;
}
.actions > :first-child:not(:only-child) {
  flex-grow: 3;
}
button,
.button {
  display: inline-flex;
  gap: 0.375rem;
  align-items: center;
  justify-content: center;
  inline-size: 100%;
  min-block-size: 2.75rem;
  padding: 0.375rem 1rem;
  border: 1px solid color-mix(in srgb, var(--elicit-border) 55%, var(--elicit-line));
  border-radius: var(--elicit-radius-control);
  background: var(--elicit-surface);
  color: var(--elicit-text);
  font: 500 0.9375rem/1.25rem var(--elicit-font);
  text-align: center;
  text-decoration: none;
  cursor: pointer;
  transition:
    background-color var(--elicit-fast),
    border-color var(--elicit-fast);
}
:is(button, .button):hover {
  border-color: var(--elicit-border);
  background: var(--elicit-inset);
}
.primary {
  border-color: var(--page-primary-edge);
  background: var(--elicit-accent);
  color: var(--elicit-on-accent);
}
.primary:hover {
  border-color: var(--page-primary-edge);
  background: color-mix(in srgb, var(--elicit-accent) 84%, var(--elicit-surface));
}
button.text {
  inline-size: auto;
  min-block-size: 1.5rem;
  padding: 0;
  border: 0;
  border-radius: var(--elicit-radius-small);
  background: none;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  font-weight: 400;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
button.text:hover {
  color: var(--elicit-text);
}
:focus-visible {
  outline: 2px solid var(--elicit-focus);
  outline-offset: 2px;
}

/* A form */
.questions {
  display: flex;
  flex: 1;
  flex-direction: column;
  gap: 1.25rem;
}
.questions .hint a {
  color: inherit;
}
details {
  inline-size: 100%;
  text-align: start;
}
summary {
  padding-block: 0.75rem;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  text-align: center;
  text-decoration: underline;
  cursor: pointer;
}
details[open] > summary {
  margin-block-end: 0.5rem;
}
details .alert {
  margin-block-end: 1rem;
}
#forget {
  display: none;
}
.said {
  white-space: pre-line;
}
.field {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.375rem;
  min-inline-size: 0;
  margin: 0;
  padding: 0;
  border: 0;
}
.field label,
.field legend {
  padding: 0;
  font-size: var(--elicit-size-sm);
  font-weight: 500;
  line-height: 1.125rem;
}
.field legend {
  margin-block-end: 0.375rem;
}
.field legend .hint,
.field label .hint {
  font-weight: 400;
}
:is(.field, .warning) .option {
  display: flex;
  gap: 0.625rem;
  align-items: center;
  min-block-size: 2.75rem;
  padding: 0.375rem 0.75rem;
  border: 1px solid var(--elicit-line);
  border-radius: var(--elicit-radius-control);
  font-size: 0.9375rem;
  font-weight: 400;
  line-height: 1.25rem;
}
.option:has(:checked) {
  border-color: var(--elicit-accent);
}
.option input {
  flex: none;
  inline-size: 1.125rem;
  block-size: 1.125rem;
  margin: 0;
  accent-color: var(--elicit-accent);
}
.option .hint {
  display: block;
}
.options {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr));
  gap: 0.5rem;
}
:is(input:not([type="radio"], [type="checkbox"]), select, textarea) {
  inline-size: 100%;
  min-inline-size: 0;
  min-block-size: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--elicit-border);
  border-radius: var(--elicit-radius-control);
  background: var(--elicit-surface);
  color: var(--elicit-text);
  font: 400 1rem/1.375rem var(--elicit-font);
}
/* An empty input with dir="auto" would put the placeholder on the left of a page from right to left. */
:placeholder-shown {
  direction: inherit;
}
::placeholder {
  color: var(--elicit-muted);
  opacity: 1;
}
[aria-invalid="true"]:is(input, select, textarea) {
  border-color: var(--elicit-danger);
}
.pair-of-inputs {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
}
.pair-of-inputs > * {
  flex: 1 1 min(9rem, 100%);
}
.error {
  color: var(--elicit-danger);
  font-size: var(--elicit-size-sm);
  line-height: 1.125rem;
}
.alert ul {
  padding-inline-start: 1.25rem;
}
.alert a {
  color: inherit;
}
.warning {
  display: grid;
  gap: 0.625rem;
  padding: 0.625rem 0.75rem;
  border: 1px solid var(--elicit-warning-line);
  border-radius: var(--elicit-radius-control);
  background: var(--elicit-warning-surface);
  color: var(--elicit-warning-text);
  font-size: var(--elicit-size-md);
  line-height: 1.25rem;
}
.warning .option {
  border-color: var(--elicit-warning-line);
}

/* A page that says one thing */
.message {
  display: grid;
  justify-items: center;
  gap: 0.5rem;
  margin-block: auto;
  padding-block: 1rem;
  text-align: center;
}
.message .mark {
  display: grid;
  place-items: center;
  inline-size: 3.5rem;
  block-size: 3.5rem;
  margin-block-end: 0.75rem;
  border-radius: 50%;
  background: var(--elicit-inset);
  color: var(--elicit-muted);
}
.message .mark[data-good] {
  background: color-mix(in srgb, var(--elicit-success) 13%, var(--elicit-surface));
  color: var(--elicit-success);
}
.mark .icon {
  inline-size: 1.625rem;
  block-size: 1.625rem;
}
.message p {
  max-inline-size: 22.5rem;
  color: var(--elicit-muted);
  text-wrap: balance;
}
.message .facts {
  inline-size: 100%;
  margin-block-start: 0.75rem;
  text-align: start;
}

@media (width < 26rem) {
  .facts dt {
    flex-basis: 100%;
  }
}
@media (width < 22rem) {
  .brand,
  main {
    padding-inline: 1rem;
  }
  .actions > * {
    flex-basis: 100%;
  }
}
@media (width >= 36rem) {
  body {
    background: var(--elicit-inset);
  }
  .sheet {
    inline-size: min(28rem, 100%);
    min-block-size: 40rem;
    margin: max(1.5rem, calc((100dvh - 40rem) / 2)) auto 1.5rem;
    border: 1px solid var(--elicit-line);
    border-radius: var(--elicit-radius);
    background: var(--elicit-surface);
    box-shadow: var(--elicit-shadow-2);
  }
}
@media (pointer: coarse) {
  button.text {
    min-block-size: 2.75rem;
    margin-block: -0.5rem;
  }
}
@media (prefers-reduced-motion: reduce) {
  * {
    transition: none !important;
  }
}
@media (forced-colors: active) {
  .primary {
    border-width: 3px;
  }
  .tile,
  .mark {
    border: 1px solid;
  }
}
`;
