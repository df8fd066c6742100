/** The question of a page: who asks whom, for which permissions, and for which account. */
export const REQUEST = `.three {
  --name: min(5.25rem, 30vw);
  /* From the edge of a name to the edge of its tile, which stands in line with the title. */
  --beside: calc((var(--name) - 2.75rem) / 2);
  display: grid;
  grid-template-columns: auto minmax(0, 1fr) auto minmax(0, 1fr) auto;
  align-items: start;
  inline-size: min(calc(100% + var(--beside)), 21.5rem);
  margin-block-end: 0.875rem;
  margin-inline-start: calc(-1 * var(--beside));
  color: var(--elicit-muted);
  font-size: 0.75rem;
  line-height: 1rem;
  text-align: center;
}
.three > span {
  display: grid;
  gap: 0.3125rem;
  justify-items: center;
  inline-size: var(--name);
}
.three bdi {
  max-inline-size: 100%;
  padding-inline: 0.125rem;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.three > i {
  margin-block-start: 1.375rem;
  margin-inline: -1rem;
  border-block-start: 2px dotted var(--elicit-border);
}
.three .tile {
  inline-size: 2.75rem;
  block-size: 2.75rem;
  color: var(--elicit-text);
}
.three > :first-child .tile {
  border-radius: 50%;
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
/* A title in another direction stands above the rest of the page, not at its other edge. */
h1,
.lead,
.said {
  text-align: -webkit-match-parent;
  text-align: match-parent;
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

.rights {
  display: grid;
  grid-template-columns: 4.75rem minmax(0, 1fr);
  gap: 0.625rem 0.75rem;
  font-size: var(--elicit-size-md);
  line-height: 1.25rem;
}
.rights dt {
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
}
.scopes {
  display: grid;
  gap: 0.25rem;
  list-style: none;
}
.scopes li {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.625rem;
}
.scopes .icon {
  margin-block: 0.125rem;
  color: var(--elicit-success);
}
.scopes .icon[data-icon="close"] {
  color: var(--elicit-muted);
}
.where {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.5rem;
  padding: 0.5rem 0.75rem;
  border-radius: var(--elicit-radius-control);
  background: var(--elicit-inset);
  font-size: var(--elicit-size-md);
  line-height: 1.25rem;
}
.where .icon {
  margin-block: 0.125rem;
  color: var(--elicit-muted);
}
.where b {
  font-weight: 600;
}
.where small {
  display: block;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  line-height: 1.125rem;
}
.me {
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.5rem;
  align-items: center;
  justify-content: space-between;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  line-height: 1.5rem;
}
.more {
  margin-block-start: -0.5rem;
}
.more > summary {
  display: inline-flex;
  gap: 0.25rem;
  align-items: center;
  min-block-size: 1.5rem;
  color: var(--elicit-muted);
  font-size: var(--elicit-size-sm);
  font-weight: 500;
  list-style: none;
  cursor: pointer;
}
.more > summary::-webkit-details-marker {
  display: none;
}
.more[open] > summary {
  margin-block-end: 0.5rem;
}
.more[open] > summary .icon {
  rotate: 90deg;
}
[dir="rtl"] .more[open] > summary .icon {
  rotate: -90deg;
}
.more .facts:empty {
  display: none;
}
.more > .hint {
  margin-block-start: 0.5rem;
}

/* In the boxes of the page that follows, so that its words move nothing. */
.skeleton {
  display: grid;
  align-content: start;
}
.bone {
  display: block;
  border-radius: 0.375rem;
  background: var(--elicit-inset);
}
.bone[data-bone="name"] {
  inline-size: 3rem;
  block-size: 0.625rem;
  margin-block: 0.1875rem;
}
.bone[data-bone="title"] {
  inline-size: 11rem;
  block-size: 1.375rem;
  margin-block: 0.1875rem;
}
.bone[data-bone="lead"] {
  inline-size: 88%;
  block-size: 0.875rem;
  margin-block: 0.5rem 1.25rem;
}
.bone[data-bone="right"] {
  inline-size: 50%;
  block-size: 0.75rem;
  margin-block: 0.25rem 0.5rem;
  margin-inline-start: 5.5rem;
}
.bone[data-bone="button"] {
  block-size: 2.75rem;
  border-radius: var(--elicit-radius-control);
}
.bone[data-bone="where"] {
  block-size: 3.5rem;
  margin-block-start: 0.75rem;
  border-radius: var(--elicit-radius-control);
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
`;
