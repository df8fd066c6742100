import { parseElicitationRequest, type ElicitationRequest } from "elicit-kit/contract";
import {
  type RecordedExchange,
  type RecordedProtocol,
  cellOf,
  nameOf,
  rowsOf,
} from "../test/interop/recorded/recording.ts";
import { Chat } from "./chat.tsx";

/** All files of docs/evidence/recorded, so that the page shows every protocol that has one. */
const recordings = import.meta.glob<RecordedProtocol>("../docs/evidence/recorded/*.json", {
  eager: true,
  import: "default",
});

/** The messages of each protocol that tests have recorded, beside the card that the user saw. */
export function Protocols() {
  return (
    <div className="book-protocols">
      {Object.entries(recordings).map(([file, protocol]) => (
        <Protocol key={file} {...protocol} />
      ))}
    </div>
  );
}

function Protocol(protocol: RecordedProtocol) {
  const { title, about, variants } = protocol;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {/* The Markdown is written for docs/evidence/recorded.md, so its relative links do not work here. */}
      <p>{about.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")}</p>
      {["form", "url"].map((mode) => {
        const asked = protocol.exchanges.find((exchange) => exchange.mode === mode);
        return asked && <Row key={mode} name={`${mode}, asked`} request={pending(requestOf(asked))} />;
      })}
      {rowsOf(protocol).map((row) => {
        const cells = variants.flatMap((variant) => {
          const found = cellOf(protocol, row, variant);
          return found !== undefined && "exchange" in found ? [found.exchange] : [];
        });
        const [first] = cells;
        return first && <Row key={nameOf(row)} name={nameOf(row)} request={requestOf(first)} wires={cells} />;
      })}
    </section>
  );
}

interface RowProps {
  name: string;
  request: ElicitationRequest;
  wires?: readonly RecordedExchange[];
}

function Row({ name, request, wires = [] }: RowProps) {
  return (
    <article>
      <h3>{name}</h3>
      <Chat requests={[request]} />
      <div>
        {wires.map((exchange) => (
          <details key={exchange.variant}>
            <summary>
              {exchange.variant}, with {exchange.counterpart}
            </summary>
            {exchange.wire.map(({ from, message }, index) => (
              // The order of the messages never changes, so the index is a stable key.
              // oxlint-disable-next-line react/no-array-index-key
              <figure key={index}>
                <figcaption>{from}</figcaption>
                {/* A table that is too wide scrolls, also by the keyboard. */}
                {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
                <pre tabIndex={0}>{JSON.stringify(message, undefined, 2)}</pre>
              </figure>
            ))}
          </details>
        ))}
      </div>
    </article>
  );
}

function requestOf({ request }: RecordedExchange): ElicitationRequest {
  const parsed = parseElicitationRequest(request);
  if (!parsed.ok) throw new Error(`elicit-kit: a recorded request is not one: ${parsed.reason}`);
  return parsed.value;
}

function pending(request: ElicitationRequest): ElicitationRequest {
  return { ...request, resolution: undefined, expiresAt: undefined, progress: undefined };
}
