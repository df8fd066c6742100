/** The classes that both cards share, in the colours of a shadcn/ui theme. */

/** Gives the controls, which elicit-kit/styles.css draws, the colours of the theme. */
const colours =
  "[--elicit-accent:var(--primary)] [--elicit-on-accent:var(--primary-foreground)] [--elicit-surface:var(--card)] [--elicit-inset:var(--muted)] [--elicit-text:var(--card-foreground)] [--elicit-muted:var(--muted-foreground)] [--elicit-line:var(--border)] [--elicit-danger:var(--destructive)] scheme-light dark:scheme-dark";

export const card = `${colours} group/card @container relative w-full max-w-xl rounded-xl border border-border bg-card text-sm text-card-foreground wrap-anywhere shadow-sm outline-none data-over:border-transparent data-over:bg-transparent data-over:shadow-none`;

/** Of an ended request only the heading is left, for assistive technology. */
export const head =
  "relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-4 pt-3.5 pe-12 pb-3 group-data-over/card:sr-only";
export const tile =
  "row-span-3 grid size-10 place-items-center overflow-clip rounded-lg border border-border bg-muted font-semibold text-muted-foreground";
export const title = "text-[0.9375rem] leading-5 font-semibold outline-none";
export const lead = "col-start-2 text-[0.8125rem] leading-4.5 text-muted-foreground";
export const close =
  "absolute end-2.5 top-2.5 grid size-7 place-items-center rounded-md text-lg text-muted-foreground hover:bg-muted hover:text-foreground group-data-over/card:hidden";

/** A card without buttons shows no bar. */
export const bar =
  "flex flex-wrap items-center gap-2 rounded-b-xl border-t border-border bg-muted/50 px-4 py-2.5 group-data-over/card:hidden";
const button =
  "inline-flex min-h-8.5 cursor-pointer items-center justify-center gap-1.5 rounded-md border px-3.5 text-[0.8125rem] font-medium outline-offset-2 focus-visible:outline-2 aria-disabled:cursor-progress pointer-coarse:min-h-11";
export const primary = `${button} border-transparent bg-primary text-primary-foreground hover:bg-primary/85`;
export const secondary = `${button} border-border bg-card hover:bg-muted aria-disabled:opacity-50`;
export const quiet = `${button} border-transparent text-muted-foreground hover:bg-muted hover:text-foreground`;

/** For a link that imitates another one: the no comes first and is the button that stands out. */
export const quietInDanger =
  "group-data-[tier=danger]/card:border-transparent group-data-[tier=danger]/card:bg-transparent group-data-[tier=danger]/card:text-muted-foreground";
export const leadsInDanger =
  "group-data-[tier=danger]/card:order-first group-data-[tier=danger]/card:bg-primary group-data-[tier=danger]/card:text-primary-foreground";

const box = "mx-4 mb-3.5 rounded-md px-2.5 py-2 text-[0.8125rem]";
export const notice = `${box} flex gap-2 bg-muted`;
export const warning = `${box} grid gap-1.5 border border-destructive/40 bg-destructive/5`;
export const link = `${box} bg-muted font-mono text-xs break-all text-muted-foreground [&_strong]:text-foreground`;

export const aside = "ms-auto text-[0.8125rem] text-muted-foreground";
export const receipt = "flex gap-2 text-[0.8125rem] text-muted-foreground [&_strong]:text-foreground";
