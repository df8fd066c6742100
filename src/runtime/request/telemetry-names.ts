/** A value that a client or another agent may have chosen. Reported only if it looks like an id, not like text. */
export function named(id: string): string {
  return /^[\w.:/@+=-]{1,128}$/.test(id) ? id : "(not shown)";
}

/** A name from the operator or one of their servers, without characters that control a terminal or start a line. */
export function printable(name: string): string {
  return name.slice(0, 128).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}
