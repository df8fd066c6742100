import reference from "../docs/api/parts.md?raw";

/** The purpose of each part and the element that it renders, from the API reference. */
export function PartsTable({ parts }: { parts: "ConnectPromptParts" | "FormElicitationParts" }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Part</th>
          <th>What it is</th>
        </tr>
      </thead>
      <tbody>
        {partsOf(parts).map(([name, text]) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>
              <Text text={text} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The sections of a namespace: the name of each part, and the text below its heading. */
function partsOf(namespace: string): (readonly [name: string, text: string])[] {
  const sections = new Map(
    reference.split("\n### ").map((section) => {
      const [heading = "", text = ""] = section.split("\n\n");
      return [heading, text] as const;
    }),
  );
  return [...sections].flatMap(([heading, text]) => {
    const [owner, name] = heading.split(".");
    // "The same as [ConnectPromptParts.Title](#…)."
    const same = /^The same as \[([^\]]+)\]/.exec(text)?.[1];
    return owner === namespace && name ? [[name, (same && sections.get(same)) ?? text] as const] : [];
  });
}

/** Text with code between backticks. */
function Text({ text }: { text: string }) {
  return text.split("`").map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece));
}
