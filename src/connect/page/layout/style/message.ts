/** A page that only shows a message. */
export const MESSAGE = `.message {
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
`;
