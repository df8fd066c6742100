/** The sheet of every page, with the brand above it. */
export const SHEET = `* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
html {
  scroll-padding-block-end: 8rem;
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
  padding: 0.75rem 1.5rem;
  border-block-end: 1px solid var(--elicit-line);
  font-size: var(--elicit-size-md);
  line-height: 1.25rem;
}
/* The host is always left to right, so it has no margin of its own. */
.brand .name {
  margin-inline-end: auto;
  font-weight: 600;
}
.brand .host {
  color: var(--elicit-muted);
  font-size: var(--elicit-size-xs);
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
.hint a {
  color: inherit;
}
main {
  padding: 1.5rem 1.5rem 1.25rem;
}
main > div[id] {
  flex: 1;
}
`;
