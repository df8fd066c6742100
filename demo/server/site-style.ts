/** Uses the values of the kit's tokens, but does not import them, because these pages represent another company's. */
export const STYLE = `
:root { color-scheme: light dark; font: 400 0.9375rem/1.375rem system-ui, sans-serif;
  --ground: light-dark(#ffffff, #1a1a1d); --inset: light-dark(#f4f4f5, #242428);
  --ink: light-dark(#18181b, #f4f4f5); --on-ink: light-dark(#ffffff, #18181b); --soft: light-dark(#5c5c66, #a8a8b3);
  --edge: light-dark(#8b8b95, #777782); --line: light-dark(#e4e4e7, #303036); }
* { box-sizing: border-box; }
h1, p, ul, dl, dd { margin: 0; padding: 0; }
body { display: grid; grid-template: auto 1fr / minmax(0, 1fr); min-block-size: 100dvh; margin: 0;
  background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 0.625rem; align-items: center; padding: 0.75rem 1.5rem;
  border-block-end: 1px solid var(--line); font-size: 0.875rem; line-height: 1.25rem; }
header b { margin-inline-end: auto; font-weight: 600; }
header bdi { color: var(--soft); font-size: 0.75rem; }
.logo { display: grid; place-items: center; inline-size: 1.5rem; block-size: 1.5rem; border-radius: 0.375rem;
  background: var(--ink); color: var(--on-ink); font-weight: 600; }
main { display: flex; flex-direction: column; gap: 1rem; padding: 1rem 1.5rem; }
h1 { font-size: 1.375rem; font-weight: 600; line-height: 1.75rem; letter-spacing: -0.018em; text-wrap: balance; }
:is(:lang(ar), :lang(ja)) h1 { letter-spacing: 0; }
b, strong { font-weight: 500; }
svg { flex: none; inline-size: 1rem; block-size: 1rem; fill: none; stroke: currentColor; stroke-width: 1.5;
  stroke-linecap: round; stroke-linejoin: round; }
.lead, .hint { color: var(--soft); }
h1 + .lead { margin-block-start: 0.25rem; }
:is(.lead, .me) b { color: var(--ink); }
.hint, .me { font-size: 0.8125rem; line-height: 1.125rem; }
.me { color: var(--soft); }
ul { padding-inline-start: 1.25rem; }
.three { display: flex; justify-content: space-between; inline-size: min(100%, 20rem); color: var(--soft);
  font-size: 0.75rem; line-height: 1rem; text-align: center; }
.three span { display: grid; flex: 1 1 0; gap: 0.3125rem; place-content: start center; justify-items: center; min-inline-size: 0; }
.three i { flex: 1 1 0; margin-block-start: 1.375rem; margin-inline: -1rem; border-block-start: 2px dotted var(--edge); }
.three em { display: grid; place-items: center; inline-size: 2.75rem; block-size: 2.75rem; border-radius: 0.625rem;
  background: var(--inset); box-shadow: inset 0 0 0 1px var(--line); color: var(--ink); font-size: 1.25rem;
  font-style: normal; font-weight: 600; }
.three span:first-child em { border-radius: 50%; }
.three svg { inline-size: 1.625rem; block-size: 1.625rem; }
.rights { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr); gap: 0.25rem 0.75rem; font-size: 0.875rem;
  line-height: 1.25rem; }
.rights dt { color: var(--soft); font-size: 0.8125rem; }
.rights dd { display: grid; grid-column: 2; grid-template-columns: auto minmax(0, 1fr); gap: 0.625rem; }
.rights svg { display: block; margin-block: 0.125rem; }
.yes { color: light-dark(#15703a, #6dd396); }
.no { color: var(--soft); }
.where { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.5rem; padding: 0.5rem 0.75rem;
  border-radius: 0.5rem; background: var(--inset); font-size: 0.875rem; line-height: 1.25rem; }
.where svg { margin-block: 0.125rem; color: var(--soft); }
.where b { font-weight: 600; }
small { display: block; color: var(--soft); font-size: 0.8125rem; line-height: 1.125rem; }
form[id] { display: grid; gap: 0.375rem; }
label { font-size: 0.8125rem; font-weight: 500; line-height: 1.125rem; }
input, select { inline-size: 100%; min-block-size: 2.75rem; margin-block-end: 0.5rem; padding: 0.5rem 0.75rem;
  border: 1px solid var(--edge); border-radius: 0.5rem; background: transparent; color: inherit; font: inherit; }
option { background: var(--ground); }
input + .hint { margin-block-start: -0.5rem; }
/* On a low screen, and with large text, the bar would hide what it is about. */
.bar { position: sticky; inset-block-end: min(0px, (100dvh - 30rem) * 1000); display: flex; flex-wrap: wrap; gap: 0.625rem;
  margin-block: auto -1rem; margin-inline: -1.5rem; padding: 0.875rem 1.5rem; border-block-start: 1px solid var(--line);
  background: var(--ground); }
.bar > * { flex: 1 1 auto; }
.bar > :first-child { flex-grow: 3; }
.bar .hint { flex-basis: 100%; text-align: center; }
button { inline-size: 100%; min-block-size: 2.75rem; padding: 0.375rem 1rem; border: 1px solid transparent;
  border-radius: 0.5rem; background: var(--ink); color: var(--on-ink); font: inherit; font-weight: 500; cursor: pointer; }
button.plain { border-color: var(--edge); background: transparent; color: inherit; }
.message { display: grid; gap: 0.5rem; justify-items: center; margin-block: auto; padding-block: 1rem; text-align: center; }
.message em { display: grid; place-items: center; inline-size: 3.5rem; block-size: 3.5rem; margin-block-end: 0.75rem;
  border-radius: 50%; background: var(--inset); }
.message svg { inline-size: 1.625rem; block-size: 1.625rem; }
[role="alert"] { padding: 0.5rem 0.75rem; border: 1px solid light-dark(#f5c9c4, #66302a); border-radius: 0.5rem;
  background: light-dark(#fef3f2, #2f1a18); }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
@media (width >= 36rem) { body { inline-size: 28rem; margin-inline: auto; border-inline: 1px solid var(--line); } }
@media (width < 26rem) { header, main, .bar { padding-inline: 1rem; } .bar { margin-inline: -1rem; } }
@media (forced-colors: active) { button { border-width: 3px; } button.plain { border-width: 1px; }
  .logo, .three em, .message em { border: 1px solid; } }
`;
