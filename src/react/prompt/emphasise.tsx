import type { ReactNode } from "react";

/** A sentence of the catalogue with its name in bold. The name has its own reading direction. */
export function emphasise(sentence: string, name: string): ReactNode {
  const at = sentence.indexOf(name);
  return (
    <>
      {sentence.slice(0, at)}
      <b dir="auto">{name}</b>
      {sentence.slice(at + name.length)}
    </>
  );
}
