/** What a page asks: who asks whom, for which rights, about which account. */
export const REQUEST = `.pair {
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
`;
