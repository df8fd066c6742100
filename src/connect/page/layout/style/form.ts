/** The questions of a form. */
export const FORM = `.questions {
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
details .alert {
  margin-block-end: 1rem;
}
#decline,
#forget,
#give {
  display: none;
}
.said {
  white-space: pre-line;
}
.waits {
  display: flex;
  gap: 0.5rem;
  align-items: center;
  font-weight: 500;
}
.waits .icon {
  flex: none;
  color: var(--elicit-muted);
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
/* The heading of the page says it. */
.unseen {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
  clip-path: inset(50%);
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
  border: 1px solid color-mix(in srgb, var(--elicit-border) 55%, var(--elicit-line));
  border-radius: var(--elicit-radius-control);
  font-size: 0.9375rem;
  font-weight: 400;
  line-height: 1.25rem;
}
button.option {
  justify-content: flex-start;
  inline-size: 100%;
  text-align: start;
}
.option:has(:checked) {
  border-color: var(--elicit-accent);
}
.preview {
  display: none;
  max-block-size: 16rem;
  margin: 0;
  padding: 0.75rem;
  border-radius: var(--elicit-radius-control);
  background: var(--elicit-inset);
  font: 0.8125rem / 1.5 var(--elicit-font-mono);
  unicode-bidi: plaintext;
  overflow: auto;
}
.option:has(:checked, :focus-visible) + .preview,
.preview:focus {
  display: block;
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
.remember .option {
  padding-inline: 0;
  border: 0;
}
.remember .hint {
  margin-block-start: -0.625rem;
  padding-inline-start: 1.75rem;
}
.recommended {
  display: inline-flex;
  flex: none;
  gap: 0.25rem;
  align-items: center;
  margin-inline-start: auto;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
}
.recommended .icon {
  inline-size: 0.875rem;
  block-size: 0.875rem;
  color: var(--elicit-text);
}
.field .own-words {
  margin-block-start: 0.5rem;
  field-sizing: content;
}
/* A secret of several lines, for which browsers have no hidden input. No other one refuses autofill. */
textarea[autocomplete="off"] {
  -webkit-text-security: disc;
}
.options {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr));
  gap: 0.5rem;
}
.scale {
  display: flex;
  flex-wrap: wrap;
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
`;
