import { type Docgen, docgenOf } from "../.storybook/props.ts";

/** Props that every part has. */
const OF_EVERY_PART = new Set(["className", "style", "render"]);

/** What each part renders, and the props that it has besides those of its element: from its source. */
export function PartsTable({ parts }: { parts: Readonly<Record<string, unknown>> }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Part</th>
          <th>What it is</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(parts).map(([name, part]) => (
          <Part key={name} name={name} docgen={docgenOf(part)} />
        ))}
      </tbody>
    </table>
  );
}

function Part({ name, docgen: { description = "", props = {} } }: { name: string; docgen: Docgen }) {
  const own = Object.entries(props).filter(([prop]) => !OF_EVERY_PART.has(prop));
  return (
    <tr>
      <td>
        <code>{name}</code>
      </td>
      <td>
        <Text text={description} />
        {own.length > 0 && (
          <ul>
            {own.map(([prop, { description: about = "", required }]) => (
              <li key={prop}>
                <code>{required === true ? prop : `${prop}?`}</code>{" "}
                <Text text={about.replace("@default ", "Default: ")} />
              </li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  );
}

/** A docstring, whose names of code stand between backticks. */
function Text({ text }: { text: string }) {
  return text.split("`").map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece));
}
