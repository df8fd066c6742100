import type { ReactNode } from "react";

/** A sentence of the catalogue with its name in bold. The name has its own reading direction. */
export function emphasise(sentence: string, name: string): ReactNode {
  const at = sentence.indexOf(name);
  return (
    <>
      <span>{sentence.slice(0, at)}</span>
      <b dir="auto">{name}</b>
      <span>{sentence.slice(at + name.length)}</span>
    </>
  );
}
