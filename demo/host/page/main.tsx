import "./page.css";
import type { Client } from "@modelcontextprotocol/client";
import type { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import { useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { type Reply, type Way, WAYS, callTool, connect, readView } from "./call.ts";
import { LOCALES, type Look, THEMES, applyLook, contextOf } from "./look.ts";
import { showView } from "./view.ts";

/** Messages that the user can choose. The chat's model is a script: it calls one tool. */
const SUGGESTIONS = [
  { said: "Send the parcel to Lisbon", tool: "book_courier", args: { to: "Lisbon" } },
  { said: "Pay the courier", tool: "pay_courier", args: {} },
];

interface Said {
  id: number;
  said: string;
  tool: string;
  args: Record<string, string>;
  way: Way;
  look: Look;
}

function OtherHost({ client }: { client: Client }): React.JSX.Element {
  const [way, setWay] = useState<Way>("held");
  const [look, setLook] = useState<Look>({
    theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
    locale: "en",
  });
  const [turns, setTurns] = useState<readonly Said[]>([]);
  useEffect(() => applyLook(look), [look]);
  const suggestions = SUGGESTIONS.map((suggestion) => (
    <button
      key={suggestion.tool}
      type="button"
      onClick={() => setTurns([...turns, { ...suggestion, id: turns.length, way, look }])}
    >
      {suggestion.said}
    </button>
  ));
  return (
    <>
      <header>
        <h1>Inside another host</h1>
        <p>
          This chat is not made with elicit-kit. It knows no elicitation, but it shows MCP Apps, as claude.ai
          does. Its MCP server is made with elicit-kit: the card is the server’s, and the tool call continues
          with your answer. <a href="/chat">Back to the demo’s chat</a>
        </p>
        <form>
          <Choice label="The host shows the card" options={WAYS} value={way} onChoose={setWay} />
          <Choice
            label="Theme"
            options={THEMES}
            value={look.theme}
            onChoose={(theme) => setLook({ ...look, theme })}
          />
          <Choice
            label="Language of the card"
            options={LOCALES}
            value={look.locale}
            onChoose={(locale) => setLook({ ...look, locale })}
          />
        </form>
      </header>
      <main aria-label="Conversation">
        {turns.length === 0 && (
          <section className="start">
            <h2>Say something to this chat</h2>
            <p>Its agent then calls a tool, and the card of the tool appears here.</p>
            {suggestions}
          </section>
        )}
        {turns.map((turn) => (
          <Turn key={turn.id} client={client} turn={turn} look={look} />
        ))}
      </main>
      {turns.length > 0 && <footer>{suggestions}</footer>}
    </>
  );
}

function Choice<Option extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  label: string;
  options: Readonly<Record<Option, string>>;
  value: Option;
  onChoose: (option: Option) => void;
}): React.JSX.Element {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChoose(event.target.value as Option)}>
        {Object.entries<string>(options).map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The user's message, the tool call with its view, and the reply. */
function Turn({ client, turn, look }: { client: Client; turn: Said; look: Look }): React.JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null);
  const bridge = useRef<AppBridge>(undefined);
  const [height, setHeight] = useState(0);
  const [reply, setReply] = useState<Reply>();
  const [isShown, setShown] = useState(false);

  useEffect(() => {
    async function show(): Promise<AppBridge> {
      setShown(true);
      const { current } = frame;
      if (current === null) throw new Error("the frame is not there");
      const html = await readView(client, turn.tool);
      const onMessage = (text: string) =>
        setReply({ text, how: "The card continued the call, and sent this as your message." });
      bridge.current = await showView(current, {
        client,
        html,
        look: turn.look,
        onHeight: setHeight,
        onMessage,
      });
      return bridge.current;
    }
    callTool(client, { name: turn.tool, arguments: turn.args, way: turn.way, show }).then(
      (given) => given && setReply(given),
      (error: unknown) => setReply({ text: String(error), how: "The call failed." }),
    );
  }, [client, turn]);
  useEffect(
    () => bridge.current?.setHostContext(contextOf({ ...look, locale: turn.look.locale })),
    [look, turn],
  );

  return (
    <>
      <p className="said">{turn.said}</p>
      <p className="call">
        parcel · {turn.tool}
        {!isShown && <span> · runs, and shows its card later</span>}
      </p>
      <iframe
        ref={frame}
        title={`Card of ${turn.tool}`}
        sandbox="allow-scripts"
        style={{ blockSize: height }}
      />
      {reply && (
        <output>
          <span>{reply.text}</span>
          <small>{reply.how}</small>
        </output>
      )}
    </>
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
// Without StrictMode, because a view can be connected only once.
createRoot(root).render(<OtherHost client={await connect()} />);
