import type { TurnTimeline } from "elicit-kit/runtime";

const WIDTH = 640;
const LEFT = 16;
const ROW = 34;
const BAR = 10;
const TOP = 40;

/** By attribute, not by a style sheet: the page's content security policy has none in line. */
const COLOURS: Readonly<Record<string, string>> = {
  work: "#2563eb",
  pause: "#cbd5e1",
  accepted: "#15803d",
  declined: "#b91c1c",
  failed: "#b91c1c",
};
const OTHER_END = "#d97706";

/** A turn's timeline as an SVG picture: one row for the agent, with its pauses, and one for each request. */
export function drawTimeline({ from, to, waits }: TurnTimeline): string {
  const length = Math.max(to - from, 1);
  const x = (at: number): number => LEFT + ((at - from) / length) * (WIDTH - 2 * LEFT);
  const bar = (name: string, start: number, end: number, row: number): string =>
    `<rect fill="${COLOURS[name] ?? OTHER_END}" x="${fixed(x(start))}" y="${TOP + row * ROW}" width="${fixed(Math.max(x(end) - x(start), 2))}" height="${BAR}" rx="3"/>`;
  const label = (text: string, at: number, row: number): string => {
    // Text that begins in the right half ends where its bar does, so that it stays inside.
    const late = x(at) > WIDTH / 2;
    return `<text fill="#334155" x="${fixed(late ? WIDTH - LEFT : x(at))}" y="${TOP + row * ROW - 5}"${late ? ' text-anchor="end"' : ""}>${escape(text)}</text>`;
  };
  const height = TOP + (waits.length + 1) * ROW;
  const rows = waits.map(
    ({ message, from: start, to: end, outcome = "open" }, index) =>
      label(`${shorten(message)} ${outcome} after ${seconds(end - start)}`, start, index + 1) +
      bar(outcome, start, end, index + 1),
  );
  const pauses = waits.map((wait) => bar("pause", wait.from, wait.to, 0));
  const title = `Turn of ${seconds(to - from)}, ${waits.length} ${waits.length === 1 ? "request" : "requests"}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape(title)}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    label(`Agent: works (blue), pauses (grey), ${seconds(to - from)} in all`, from, 0),
    bar("work", from, to, 0),
    ...pauses,
    ...rows,
    "</svg>\n",
  ].join("\n");
}

const fixed = (value: number): string => String(Math.round(value * 10) / 10);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
