import { type Scenario, scenarios } from "elicit-kit/mock-server";
import type { ElicitationsProps } from "elicit-kit";
import { useState } from "react";
// oxlint-disable-next-line import/default -- Vite makes it
import scenariosText from "../mock-server/scenarios.ts?raw";
// oxlint-disable-next-line import/default -- Vite makes it
import chatText from "../test/guide/chat.tsx?raw";
import { JourneyChat } from "./journey-chat.tsx";
import { scenarioCode } from "./scenario-code.ts";
import { createWorld } from "./world.ts";

type Name = keyof typeof scenarios;

/** The description of each scenario, and the user's first message. */
const SHOWN: Readonly<Record<Name, readonly [title: string, says: string]>> = {
  connect: ["Connect an account", "Please file the login bug."],
  connectAs: ["Connect an account that has a name", "Please file the login bug."],
  form: ["Fill in a form", "Find me a hotel."],
  sentence: ["Fill in a form by a sentence", "Find me a hotel."],
  choice: ["Choose one of several", "Book me a plan."],
  previews: ["Choose with previews", "Write the release notes."],
  youDecide: ["Leave a choice to the agent", "Write the mail."],
  slider: ["Move a slider", "Warm my room."],
  rating: ["Give stars", "I am back from the hotel."],
  naming: ["Type a short text", "Start a new project."],
  approval: ["Approve a tool call", "Refund my last order."],
  background: ["Work on while it asks", "Book a hotel in Lisbon, and check the weather."],
  confirmDestructive: ["Confirm before a deletion", "Clean up the reports."],
  somebodyElse: ["Somebody else decides", "Pay for the team day."],
  twoAtOnce: ["Two questions at once", "Plan my trip."],
  delegatedAgent: ["Another agent asks", "Book a flight."],
  decline: ["Decline: it is not asked again", "Please file the login bug."],
  cancel: ["Dismiss: ask again later", "Please file the login bug."],
  expiry: ["Nobody answers for ten seconds", "Please file the login bug."],
  noCapability: ["A chat that cannot show cards", "Please file the login bug."],
  bareEvents: ["A server that sends bare events", "Please file the login bug."],
  unknownEvents: ["A server of a later version", "Please file the login bug."],
};
const NAMES = Object.keys(SHOWN).filter((name): name is Name => Object.hasOwn(scenarios, name));

export type PlaygroundProps = Pick<ElicitationsProps, "catalogue">;

/** The chat on the mock server, inside this browser: a scenario to choose, and the code of chat and server. */
export function Playground({ catalogue }: PlaygroundProps) {
  const [name, setName] = useState<Name>("connect");
  const [round, setRound] = useState(0);
  const [title, says] = SHOWN[name];
  return (
    <div className="book-playground">
      <fieldset>
        <legend>What happens</legend>
        {NAMES.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="scenario"
              checked={each === name}
              onChange={() => {
                setName(each);
                setRound(0);
              }}
            />
            {SHOWN[each][0]}
          </label>
        ))}
      </fieldset>
      <section aria-label={title} className="book-played">
        <header>
          {title}
          <button type="button" className="button" onClick={() => setRound(round + 1)}>
            Start again
          </button>
        </header>
        <Played key={`${name} ${round}`} name={name} says={says} catalogue={catalogue} />
      </section>
      <section aria-label="Code" className="book-code">
        <Code label="The mock server" text={scenarioCode(scenariosText, name)} />
        <Code label="A chat, in one file" text={chatText} />
      </section>
    </div>
  );
}

function Played({ name, says, catalogue }: PlaygroundProps & { name: Name; says: string }) {
  const [world] = useState(() => {
    const scenario: Scenario = scenarios[name];
    return createWorld("playground", scenario);
  });
  return (
    <JourneyChat
      world={world}
      fetch={world.server.fetch}
      says={says}
      bare={name === "bareEvents"}
      catalogue={catalogue}
    />
  );
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <details open>
      <summary>{label}</summary>
      <pre aria-label={label}>
        <code>{text}</code>
      </pre>
    </details>
  );
}
