/** The classes that both cards share, in the colours of your theme. */

/** Colours of the parts that elicit-kit/styles.css draws: controls without a component in ui/, rounds, receipts. */
export const colours =
  "[--elicit-accent:var(--primary)] [--elicit-on-accent:var(--primary-foreground)] [--elicit-surface:var(--card)] [--elicit-inset:var(--muted)] [--elicit-text:var(--card-foreground)] [--elicit-muted:var(--muted-foreground)] [--elicit-line:var(--border)] [--elicit-danger:var(--destructive)] [--elicit-radius-control:calc(var(--radius)_-_2px)] scheme-light dark:scheme-dark";

/** An ended request only shows its receipt. The form element around the parts has no box. */
export const card =
  "group/elicitation relative w-full max-w-xl text-sm wrap-anywhere outline-none data-over:gap-1 data-over:border-0 data-over:bg-transparent data-over:p-0 data-over:shadow-none data-over:ring-0 [&>form]:contents";

/** An ended request keeps only the heading, for assistive technology. */
export const head = "group-data-over/elicitation:sr-only";
export const heading = "flex items-center gap-3";
export const tile =
  "grid size-8 shrink-0 place-items-center overflow-clip rounded-md border bg-muted text-muted-foreground";
export const title = "leading-snug outline-none";
export const said = "grid gap-0.5";
export const dismiss = "size-7 group-data-over/elicitation:hidden";

/** A card without buttons shows no bar. */
export const bar = "flex-wrap gap-2 group-data-over/elicitation:hidden";

/** For a link that imitates another one: Decline comes first and is the emphasised button. */
export const quietInDanger =
  "group-data-[tier=danger]/elicitation:bg-transparent group-data-[tier=danger]/elicitation:text-muted-foreground group-data-[tier=danger]/elicitation:hover:bg-muted";
export const leadsInDanger =
  "group-data-[tier=danger]/elicitation:order-first group-data-[tier=danger]/elicitation:bg-primary group-data-[tier=danger]/elicitation:text-primary-foreground";

const box = "rounded-md px-2.5 py-2 text-[0.8125rem]";
export const notice = `${box} flex gap-2 bg-muted`;
export const warning = `${box} grid gap-1.5 border border-destructive/40 bg-destructive/5`;
export const link = `${box} bg-muted font-mono text-xs break-all text-muted-foreground [&_strong]:text-foreground`;
/** Missing parts of a card leave no gap. */
export const boxes = "grid gap-2 empty:hidden group-data-over/elicitation:hidden";

/** The text field of "No, and …" above the buttons. */
export const note =
  "grid w-full gap-1 [&_label]:flex [&_label]:items-center [&_label]:gap-2 [&_label>span]:shrink-0 [&_small]:text-xs [&_small]:text-muted-foreground";

/** The list of users that a form can be passed on to, above the buttons, and the text that says who decides it. */
export const giveTo = "grid w-full gap-1.5";
export const waitsFor = "inline-flex flex-1 items-center gap-2 font-medium";

/** The checkbox for remembering an answer. */
export const remember =
  "grid gap-0.5 [&_label]:flex [&_label]:items-center [&_label]:gap-2 [&_small]:ms-6 [&_small]:text-xs [&_small]:text-muted-foreground";

export const aside = "ms-auto text-[0.8125rem] text-muted-foreground";
export const receipt = "flex gap-2 text-[0.8125rem] text-muted-foreground [&_strong]:text-foreground";
export const sent = "ms-6 text-[0.8125rem] text-muted-foreground";
