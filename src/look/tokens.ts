/** The text of `elicit-kit/tokens.css`, which the build writes, for servers that write pages. */
export const TOKENS_CSS = `/*
 * The tokens of everything that elicit-kit draws. The hosted page serves this file, and a page of your own may load it to
 * look like the cards. The cards do not need it: styles.css has the same values as defaults.
 */
:root {
  color-scheme: light dark;

  /* The accent: what is pressed, chosen or focused. A brand sets the first two. */
  --elicit-accent: light-dark(#18181b, #f4f4f5);
  --elicit-on-accent: light-dark(#fff, #18181b);
  --elicit-focus: var(--elicit-accent);

  /* Neutrals. Lines only decorate; a border is the edge of a control and has 3:1. */
  --elicit-surface: light-dark(#fff, #1a1a1d);
  --elicit-inset: light-dark(#f4f4f5, #242428);
  --elicit-text: light-dark(#18181b, #f4f4f5);
  --elicit-muted: light-dark(#5c5c66, #a8a8b3);
  --elicit-line: light-dark(#e4e4e7, #303036);
  --elicit-border: light-dark(#8b8b95, #777782);

  /* Done, caution, danger: always with an icon and words. */
  --elicit-success: light-dark(#15703a, #6dd396);
  --elicit-warning-text: light-dark(#7a4a00, #f0c36a);
  --elicit-warning-surface: light-dark(#fff8e8, #2a2214);
  --elicit-warning-line: light-dark(#f0d9a8, #54431c);
  --elicit-danger: light-dark(#b42318, #ff9b90);
  --elicit-danger-surface: light-dark(#fef3f2, #2f1a18);
  --elicit-danger-line: light-dark(#f5c9c4, #66302a);

  --elicit-font: system-ui, sans-serif;
  --elicit-font-mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  --elicit-size-xs: 0.75rem;
  --elicit-size-sm: 0.8125rem;
  --elicit-size-md: 0.875rem;
  --elicit-size-lg: 0.9375rem;
  --elicit-size-xl: 1.25rem;

  --elicit-space-1: 0.25rem;
  --elicit-space-2: 0.5rem;
  --elicit-space-3: 0.75rem;
  --elicit-space-4: 1rem;

  /* One radius; the others are parts of it. */
  --elicit-radius: 0.875rem;
  --elicit-radius-control: calc(var(--elicit-radius) * 0.57);
  --elicit-radius-small: calc(var(--elicit-radius) * 0.4);
  --elicit-control: 2.25rem;
  --elicit-button: 2.125rem;
  --elicit-tile: 2.5rem;

  --elicit-shadow-1:
    0 1px 2px light-dark(rgb(9 9 11 / 5%), rgb(0 0 0 / 40%)),
    0 8px 24px -12px light-dark(rgb(9 9 11 / 12%), rgb(0 0 0 / 60%));
  --elicit-shadow-2:
    0 2px 6px light-dark(rgb(9 9 11 / 6%), rgb(0 0 0 / 50%)),
    0 24px 64px -16px light-dark(rgb(9 9 11 / 28%), rgb(0 0 0 / 80%));

  --elicit-fast: 120ms;
  --elicit-base: 180ms;
  --elicit-ease: cubic-bezier(0.2, 0, 0, 1);
}

[data-theme="light"] {
  color-scheme: light;
}

[data-theme="dark"] {
  color-scheme: dark;
}
`;
