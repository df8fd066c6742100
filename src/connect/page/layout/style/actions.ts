/** The buttons, and the line below them. */
export const ACTIONS = `.foot {
  display: grid;
  gap: 0.75rem;
  margin-block-start: auto;
  padding-block-start: 0.5rem;
}
/*
 * Never leaves the window; only what is above scrolls. On a low screen, and with large text, it would hide what it is
 * about, so there it scrolls too: a media query does not know the size of the text.
 */
.bar {
  position: sticky;
  inset-block-end: min(0px, (100dvh - 30rem) * 1000);
  gap: 0.5rem;
  margin-inline: -1.5rem;
  padding: 0.875rem 1.5rem;
  border-block-start: 1px solid var(--elicit-line);
  border-end-start-radius: var(--elicit-radius);
  border-end-end-radius: var(--elicit-radius);
  background: var(--elicit-surface);
}
main:has(> .bar, > div[id]:not([hidden]) > .bar, > .questions > .bar) {
  gap: 1rem;
  padding-block: 1rem 0;
}
.late {
  visibility: hidden;
  animation: appear 0s 3s forwards;
}
@keyframes appear {
  to {
    visibility: visible;
  }
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
`;
