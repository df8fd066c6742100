import type { JsonObject } from "../state.ts";
import { useId, useState } from "react";
import type { Act } from "../act.ts";
import { isObject, stringOf, wordsOf } from "./blocks.tsx";

type Entry = Extract<Act, { do: "enter" }>["entry"];

interface InputProps {
  label: string;
  hint: string;
  isOptional: boolean;
  element: JsonObject;
  value: JsonObject;
  error: string | undefined;
  act: (act: Act) => Promise<unknown>;
}

const HTML_TYPES: Readonly<Record<string, string>> = {
  email_text_input: "email",
  url_text_input: "url",
  datepicker: "date",
  datetimepicker: "datetime-local",
};

/** An input of a modal. It sends its value to the app after each change, as Slack does. */
export function Input({
  label,
  hint,
  isOptional,
  element,
  value,
  error,
  act,
}: InputProps): React.JSX.Element {
  const id = useId();
  const type = String(element["type"]);
  const enter = (entry: Entry) => void act({ do: "enter", label, ...(entry !== undefined && { entry }) });
  const isGroup = type === "radio_buttons" || type === "checkboxes";
  const Label = isGroup ? "span" : "label";
  return (
    <div
      className="input"
      role={isGroup ? "group" : undefined}
      aria-labelledby={isGroup ? `${id}-label` : undefined}
    >
      <Label id={`${id}-label`} {...(!isGroup && { htmlFor: id })}>
        {label} {isOptional && <small>(optional)</small>}
      </Label>
      <Control id={id} type={type} label={label} element={element} value={value} enter={enter} act={act} />
      {hint !== "" && <small>{hint}</small>}
      {error !== undefined && <small role="alert">{error}</small>}
    </div>
  );
}

interface ControlProps {
  id: string;
  type: string;
  label: string;
  element: JsonObject;
  value: JsonObject;
  enter: (entry: Entry) => void;
  act: InputProps["act"];
}

function Control(props: ControlProps): React.JSX.Element {
  const { type } = props;
  if (type === "radio_buttons" || type === "checkboxes") return <Boxes {...props} />;
  if (type.includes("external")) return <Search {...props} />;
  return type.includes("select") ? <List {...props} /> : <Typed {...props} />;
}

const optionsIn = (holder: JsonObject): readonly JsonObject[] => {
  const { options, option_groups: groups } = holder;
  if (Array.isArray(options)) return options.filter(isObject);
  return Array.isArray(groups) ? groups.filter(isObject).flatMap(optionsIn) : [];
};

const chosenIn = ({ selected_option: one, selected_options: many }: JsonObject): readonly string[] =>
  Array.isArray(many)
    ? many.map((option) => wordsOf(option["text"]))
    : isObject(one)
      ? [wordsOf(one["text"])]
      : [];

function Boxes({ id, type, element, value, enter }: ControlProps): React.JSX.Element {
  const isMany = type === "checkboxes";
  const chosen = chosenIn(value);
  return (
    <>
      {optionsIn(element).map((option) => {
        const words = wordsOf(option["text"]);
        return (
          <label key={words}>
            <input
              type={isMany ? "checkbox" : "radio"}
              name={id}
              checked={chosen.includes(words)}
              onChange={({ target }) => {
                if (!isMany) return enter(words);
                enter(target.checked ? [...chosen, words] : chosen.filter((one) => one !== words));
              }}
            />
            {words}
          </label>
        );
      })}
    </>
  );
}

function List({ id, type, element, value, enter }: ControlProps): React.JSX.Element {
  const isMany = type.startsWith("multi");
  const chosen = chosenIn(value);
  return (
    <select
      id={id}
      multiple={isMany}
      value={isMany ? chosen : (chosen[0] ?? "")}
      onChange={({ target }) => {
        const words = Array.from(target.selectedOptions, (option) => option.value).filter(
          (one) => one !== "",
        );
        enter(isMany ? words : words[0]);
      }}
    >
      {!isMany && <option value="">{wordsOf(element["placeholder"]) || "–"}</option>}
      {optionsIn(element).map((option) => (
        <option key={String(option["value"])}>{wordsOf(option["text"])}</option>
      ))}
    </select>
  );
}

function Search({ id, type, label, value, enter, act }: ControlProps): React.JSX.Element {
  const [found, setFound] = useState<readonly string[]>([]);
  const chosen = chosenIn(value);
  const isMany = type.startsWith("multi");
  async function look(words: string): Promise<void> {
    if (found.includes(words)) return enter(isMany ? [...chosen, words] : words);
    const result = await act({ do: "search", label, query: words });
    setFound(Array.isArray(result) ? result.map(String) : []);
  }
  return (
    <>
      <input
        id={id}
        list={`${id}-found`}
        placeholder={chosen.join(", ") || "Search"}
        onChange={({ target }) => void look(target.value)}
      />
      <datalist id={`${id}-found`}>
        {found.map((words) => (
          <option key={words}>{words}</option>
        ))}
      </datalist>
    </>
  );
}

function Typed({ id, type, element, value, enter }: ControlProps): React.JSX.Element {
  const seconds = value["selected_date_time"];
  const given =
    typeof seconds === "number"
      ? new Date(seconds * 1000).toISOString().slice(0, 16)
      : stringOf(value["value"]) || stringOf(value["selected_date"]);
  const [text, setText] = useState(given);
  const shared = {
    id,
    value: text,
    placeholder: wordsOf(element["placeholder"]),
    onChange: ({ target }: { target: { value: string } }) => {
      setText(target.value);
      if (target.value === "") return enter(undefined);
      enter(type === "datetimepicker" ? Math.floor(Date.parse(`${target.value}Z`) / 1000) : target.value);
    },
  };
  if (element["multiline"] === true) return <textarea rows={3} {...shared} />;
  const inputMode = type === "number_input" ? "decimal" : undefined;
  return <input type={HTML_TYPES[type] ?? "text"} inputMode={inputMode} {...shared} />;
}
