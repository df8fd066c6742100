/** Finds positions in the source of an app. A parser would be a dependency for every user of the kit. */

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The number of the line that an index is in, from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** The index of the bracket that closes the one at `start`; `undefined` in code that is not finished. */
export function closingOf(text: string, start: number): number | undefined {
  const open: string[] = [];
  for (let index = start; index < text.length; index += 1) {
    const next = skipped(text, index);
    if (next !== index) {
      index = next;
      continue;
    }
    const sign = text[index] ?? "";
    const closing = CLOSING[sign];
    if (closing !== undefined) open.push(closing);
    else if (sign === open.at(-1) && open.pop() !== undefined && open.length === 0) return index;
  }
  return undefined;
}

/** The members of an object literal, from the text between its braces. */
export function membersOf(text: string): string[] {
  const members: string[] = [];
  let begin = 0;
  for (let index = 0; index < text.length; index += 1) {
    const next = skipped(text, index);
    if (next !== index) index = next;
    else if (CLOSING[text[index] ?? ""] !== undefined) index = closingOf(text, index) ?? index;
    else if (text[index] === ",") {
      members.push(text.slice(begin, index));
      begin = index + 1;
    }
  }
  return [...members, text.slice(begin)].map((member) => member.trim()).filter((member) => member !== "");
}

/** The index of the last character of the statement that `start` is in. */
export function statementEnd(text: string, start: number): number {
  for (let index = start; index < text.length; index += 1) {
    const sign = text[index] ?? "";
    if (CLOSING[sign] !== undefined) index = closingOf(text, index) ?? index;
    else if (sign === ";") return index;
    // A call that continues in the next line begins with a dot.
    else if (sign === "\n" && !/^\s*\./.test(text.slice(index))) return index - 1;
  }
  return text.length - 1;
}

/** The index of the end of a string or comment that begins at `index`. An apostrophe in JSX ends with its line. */
function skipped(text: string, index: number): number {
  const [found] = /^(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/.*|\/\*[^]*?\*\/)/.exec(
    text.slice(index, index + 10_000),
  ) ?? [""];
  return found === "" ? index : index + found.length - 1;
}
