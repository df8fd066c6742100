import type { UIMessage } from "ai";
import { type BoundElicitation, type Catalogue } from "elicit-kit";
import { ElicitationPrompt } from "elicit-kit/cards";
import { isOpen, readElicitations } from "elicit-kit/client";
import type { TurnTimeline } from "elicit-kit/runtime";
import { Icon, Mark, Spinner } from "./icons.tsx";
import {
  type Made,
  madeBy,
  ownNameOf,
  spelledOut,
  type Step,
  stepsOf,
  type ToolPart,
  type ToolState,
  toolStateOf,
} from "./steps.ts";
import { clock } from "./turn.ts";
import { useNow } from "./use-now.ts";
import type { Watch } from "./waiting-pill.tsx";
import type { Words } from "./words/en.ts";

interface LogProps {
  user: string;
  messages: readonly UIMessage[];
  elicitations: readonly BoundElicitation[];
  words: Words;
  catalogue: Catalogue;
  /** Observes the card of each open request. */
  watch: Watch;
  timeline: TurnTimeline | undefined;
  /** Whether the turn of the last message is running. */
  busy: boolean;
  onAskAgain: (message: string) => void;
}

/** The conversation. Each request is beside the tool call that it belongs to. */
export function Log(props: LogProps): React.JSX.Element {
  const { messages, words, busy } = props;
  return (
    <ol className="log" aria-label={words.conversation}>
      {messages.map((message, at) => (
        <li key={message.id} data-role={message.role}>
          <span className="visually-hidden">{message.role === "user" ? words.you : words.agent}</span>
          {message.role === "user" ? (
            <Said message={message} />
          ) : (
            <Answer {...props} message={message} turnIsOpen={busy && at === messages.length - 1} />
          )}
        </li>
      ))}
    </ol>
  );
}

function Said({ message }: { message: UIMessage }): React.JSX.Element {
  return (
    <>
      {message.parts.map(
        (part, index) =>
          part.type === "text" && (
            <p key={index} dir="auto">
              {part.text}
            </p>
          ),
      )}
    </>
  );
}

interface AnswerProps extends LogProps {
  message: UIMessage;
  turnIsOpen: boolean;
}

/** One turn of the agent, along a line: solid while the agent worked, dotted while it waited. */
function Answer({ message, turnIsOpen, ...rest }: AnswerProps): React.JSX.Element {
  const steps = stepsOf(message, rest.elicitations);
  const asked = steps.flatMap((step) => (step.kind === "text" ? [] : step.asks));
  return (
    <ol className="turn">
      {steps.map((step) => (
        <li key={step.key} data-wait={step.kind !== "text" && step.asks.some(isOpen) ? "" : undefined}>
          <StepRow {...rest} step={step} asked={asked} turnIsOpen={turnIsOpen} />
        </li>
      ))}
    </ol>
  );
}

function StepRow({
  step,
  asked,
  turnIsOpen,
  user,
  words,
  catalogue,
  watch,
  timeline,
  onAskAgain,
}: Omit<AnswerProps, "message"> & {
  step: Step;
  /** The requests of the turn, from top to bottom. */
  asked: readonly BoundElicitation[];
}): React.JSX.Element {
  if (step.kind === "text") {
    return (
      <>
        <span className="sign">
          <Mark />
        </span>
        <p dir="auto">{step.text}</p>
      </>
    );
  }
  const { part, asks } = step;
  const state = part && toolStateOf(part, asks, turnIsOpen);
  const made = part && madeBy(part);
  const wait = timeline?.waits.find(({ elicitationId }) => asks.some(({ id }) => id === elicitationId));
  return (
    <>
      <span className="sign" data-state={state}>
        <StateSign state={state ?? (asks.some(isOpen) ? "waiting" : "done")} />
      </span>
      <div>
        {part !== undefined && state !== undefined && (
          <p className="tool" data-state={state}>
            <b>{toolName(part, words)}</b>
            {words.colon}
            {words.toolStates[state]}
            {state === "waiting" && wait !== undefined && <Since at={wait.from} />}
            {state === "waiting" && numberOf(asks, asked, catalogue)}
          </p>
        )}
        {asks.map((elicitation) => (
          <Card
            key={elicitation.id}
            elicitation={elicitation}
            catalogue={catalogue}
            watch={watch}
            onAskAgain={onAskAgain}
          />
        ))}
        {made !== undefined && <Result made={made} createdBy={words.createdBy(user)} />}
      </div>
    </>
  );
}

function Result({ made, createdBy }: { made: Made; createdBy: string }): React.JSX.Element {
  const isIssue = "number" in made;
  return (
    <p className="made">
      <span className="made-tile" data-issue={isIssue ? "" : undefined} aria-hidden={!isIssue}>
        {isIssue ? <Icon name="issue" /> : made.name.charAt(0)}
      </span>
      <span>
        <b dir="auto">{isIssue ? `#${made.number} ${made.title}` : made.name}</b>
        <small>{isIssue ? createdBy : made.detail}</small>
      </span>
    </p>
  );
}

/** The number of a request among several. It stays when another one has ended. */
function numberOf(
  asks: readonly BoundElicitation[],
  asked: readonly BoundElicitation[],
  catalogue: Catalogue,
): string {
  const at = asked.findIndex(({ id }) => asks.some((one) => one.id === id));
  if (at === -1 || asked.length < 2) return "";
  const [current, count] = [at + 1, asked.length].map((value) => value.toLocaleString(catalogue.locale));
  return ` · ${catalogue.questionOf(current ?? "", count ?? "")}`;
}

function toolName(part: ToolPart, words: Words): string {
  const tools: Readonly<Record<string, string>> = words.tools;
  return tools[ownNameOf(part, Object.keys(tools)) ?? ""] ?? spelledOut(part);
}

function StateSign({ state }: { state: ToolState }): React.JSX.Element {
  switch (state) {
    case "running":
      return <Spinner />;
    case "waiting":
      return <Icon name="pause" />;
    case "done":
      return <Icon name="check" />;
    case "failed":
      return <Icon name="cross" />;
    default:
      return <Icon name="minus" />;
  }
}

interface CardProps extends Pick<LogProps, "catalogue" | "watch" | "onAskAgain"> {
  elicitation: BoundElicitation;
}

function Card({ elicitation, catalogue, watch, onAskAgain }: CardProps): React.JSX.Element {
  const open = isOpen(elicitation) && elicitation.status !== "answered";
  return (
    <div className="asks" data-open={open ? "" : undefined} ref={open ? watch : null}>
      <ElicitationPrompt elicitation={elicitation} catalogue={catalogue} onAskAgain={onAskAgain} />
    </div>
  );
}

/** The time since `at`. */
function Since({ at }: { at: number }): React.JSX.Element {
  const now = useNow(true);
  return <span className="time"> · {clock(now - at)}</span>;
}

/**
 * Requests that are open on the server but not in any message, because the agent's reply was lost before it was stored.
 */
export function Elsewhere({
  messages,
  elicitations,
  catalogue,
  watch,
  onAskAgain,
}: Pick<LogProps, "messages" | "elicitations" | "catalogue" | "watch" | "onAskAgain">): React.JSX.Element {
  const asked = new Set(readElicitations(messages).map(({ elicitationId }) => elicitationId));
  const rest = elicitations.filter(({ id }) => !asked.has(id));
  return (
    <>
      {rest.map((elicitation) => (
        <Card
          key={elicitation.id}
          elicitation={elicitation}
          catalogue={catalogue}
          watch={watch}
          onAskAgain={onAskAgain}
        />
      ))}
    </>
  );
}
