import { useId, useState } from "react";
import { Icon } from "./icons.tsx";
import { type AddingFault, type OwnServer, type Session, changeServers } from "./session.ts";
import { ASK_EXAMPLE } from "./suggestions.tsx";
import type { Words } from "./words/en.ts";

interface ServersProps {
  session: Session;
  words: Words;
  /** Called when the list has changed. */
  onChange: (servers: readonly OwnServer[]) => void;
}

/** A dialog with the MCP servers that the user has added. */
export function Servers({
  dialog,
  ...props
}: ServersProps & { dialog: React.RefObject<HTMLDialogElement | null> }): React.JSX.Element {
  const { words } = props;
  const titleId = useId();
  return (
    <dialog ref={dialog} className="servers" aria-labelledby={titleId} closedby="any">
      <h2 id={titleId}>{words.servers.title}</h2>
      <p>{words.servers.lead}</p>
      <AddServer {...props} />
      <ServerList {...props} />
      <button type="button" className="button" onClick={() => dialog.current?.close()}>
        {words.servers.close}
      </button>
    </dialog>
  );
}

function AddServer({ session, words, onChange }: ServersProps): React.JSX.Element {
  const [url, setUrl] = useState("");
  const [fault, setFault] = useState<AddingFault>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const { exampleServer } = session;
  const hasExample = session.servers.some((server) => server.url === exampleServer);
  /** The URL that was added last. */
  const [added, setAdded] = useState<string>();

  async function add(): Promise<void> {
    setBusy(true);
    const answer = await changeServers("add", url).catch(() => undefined);
    setBusy(false);
    setFault(answer === undefined ? "unreachable" : answer.fault);
    if (answer === undefined) return;
    onChange(answer.servers);
    if (answer.fault !== undefined) return;
    setUrl("");
    setAdded(url);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label htmlFor={id}>{words.servers.url}</label>
      <div className="row">
        <input
          id={id}
          type="text"
          inputMode="url"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          required
          value={url}
          placeholder="https://mcp.example.com/mcp"
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : `${id}-fault`}
          onChange={(event) => setUrl(event.target.value)}
        />
        <button type="submit" className="button" disabled={isBusy}>
          {words.servers.add}
        </button>
      </div>
      <p id={`${id}-fault`} role="alert">
        {fault !== undefined && words.servers.faults[fault]}
      </p>
      <output>
        {added === exampleServer && (
          <>
            {words.servers.nowAsk} <q lang="en">{ASK_EXAMPLE}</q>
          </>
        )}
        {added !== undefined && added !== exampleServer && words.servers.nowAskIts}
      </output>
      {!hasExample && (
        <p>
          {words.servers.tryThis}{" "}
          <button type="button" className="link" dir="ltr" onClick={() => setUrl(exampleServer)}>
            {exampleServer}
          </button>
        </p>
      )}
    </form>
  );
}

function ServerList({ session, words, onChange }: ServersProps): React.JSX.Element | null {
  if (session.servers.length === 0) return null;
  const change = (act: "disconnect" | "remove", name: string) => () =>
    void changeServers(act, name)
      .then(({ servers }) => onChange(servers))
      // If the server cannot be reached, the page keeps its content.
      .catch(() => undefined);
  return (
    <ul>
      {session.servers.map(({ name, host, claimedName, iconDataUrl, isConnected }) => (
        <li key={name}>
          {iconDataUrl === undefined ? <Icon name="link" /> : <img alt="" src={iconDataUrl} />}
          <div>
            <b dir="ltr">{host}</b>
            <span>
              {claimedName !== undefined && `${words.servers.callsItself(claimedName)} · `}
              {isConnected ? words.servers.connected : words.servers.notConnected}
            </span>
          </div>
          {isConnected && (
            <button
              type="button"
              className="button"
              aria-label={words.disconnect(host)}
              onClick={change("disconnect", name)}
            >
              {words.servers.disconnect}
            </button>
          )}
          <button
            type="button"
            className="button"
            aria-label={words.servers.removeOne(host)}
            onClick={change("remove", name)}
          >
            {words.servers.remove}
          </button>
        </li>
      ))}
    </ul>
  );
}
