/** Narrow, wide and coarse screens, reduced motion and forced colours. Comes last. */
export const CONDITIONS = `@media (width < 26rem) {
  .brand,
  main {
    padding-inline: 1rem;
  }
  .bar {
    margin-inline: -1rem;
    padding-inline: 1rem;
  }
  /* The first name stays inside the window. */
  .three {
    --name: min(4.5rem, 30vw);
  }
  main:has(> .bar, > div[id]:not([hidden]) > .bar, > .questions > .bar) {
    gap: 0.75rem;
  }
  .facts dt {
    flex-basis: 100%;
  }
}
/* Without script the page says at once that it cannot tell who this is. */
@media (scripting: none) {
  #asking {
    display: none !important;
  }
  main:has(> #asking) {
    padding-block-end: 1.25rem !important;
  }
}
@media (width < 22rem) {
  .rights {
    grid-template-columns: minmax(0, 1fr);
  }
  .foot:not(.bar) > .actions > * {
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
  button.text,
  .more > summary {
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
  [aria-invalid="true"]:is(input, select, textarea) {
    border-width: 3px;
  }
}
`;

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
