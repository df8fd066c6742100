import { type RefObject, useCallback, useEffect, useMemo, useState } from "react";
import type { AssigneeList } from "../../contract/contract.ts";
import type { Field } from "../../form/index.ts";
import { inMinutes } from "../../words/language.ts";
import { isolate } from "../isolate.ts";
import type { PromptShared } from "../prompt/context.ts";
import type { GiveOn, HandOver, Questions } from "./context.ts";
import { createFormState } from "./form-state.ts";

type Told = NonNullable<HandOver["told"]>;
type Asking = Pick<Extract<GiveOn, { isOpen: true }>, "field" | "questions">;

/** The users and groups to which the question can be passed on, as a form with one choice. */
interface Choosing extends Asking {
  readonly choices: AssigneeList["assignees"];
}

/** The actions that do not answer a form: take it back, remind its assignee, or give it to somebody else. */
export function useHandOver(
  { elicitation, catalogue, announce }: PromptShared,
  questions: Questions,
  rootRef: RefObject<HTMLElement | null>,
): HandOver {
  const { request, status, assign, assignees, remind } = elicitation;
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState<Told & { about: string | undefined }>();
  const [choosing, setChoosing] = useState<Choosing>();
  const words = catalogue.others;
  const about = request.assignee?.name;

  const tell = useCallback(
    (notice: Told["notice"], sentence: string): void => {
      setTold({ notice, sentence, about });
      announce(sentence);
    },
    [announce, about],
  );
  /** Runs one action at a time. `act` resolves with whether it has worked. */
  const run = useCallback(
    async (act: () => Promise<boolean>): Promise<void> => {
      setBusy(true);
      setTold(undefined);
      if (!(await act())) tell("not-done", catalogue.didNotWork);
      setBusy(false);
    },
    [catalogue, tell],
  );

  const takeBack = useCallback(() => void run(async () => assign(null)), [run, assign]);
  const sendReminder = useCallback(
    () =>
      void run(async () => {
        const { sent, retryAfterMs } = await remind();
        if (sent) tell("reminded", words.reminded);
        else if (retryAfterMs !== undefined)
          tell("too-soon", words.tooSoon(inMinutes(retryAfterMs, catalogue.locale)));
        return sent || retryAfterMs !== undefined;
      }),
    [run, remind, tell, words, catalogue],
  );

  const toggle = useCallback(() => {
    if (choosing !== undefined) return setChoosing(undefined);
    return void run(async () => {
      const choices = await assignees();
      if (choices === undefined || choices.length === 0) return false;
      setChoosing({ choices, ...choiceOf(choices, words.giveTo, questions) });
      return true;
    });
  }, [choosing, run, assignees, words, questions]);
  const give = useCallback(() => {
    const result = choosing?.questions.form.submit();
    const chosen = result?.ok === true ? choosing?.choices[Number(result.content[CHOICE])] : undefined;
    if (chosen === undefined) return focusChoice(rootRef.current);
    return void run(async () => {
      if (!(await assign(chosen.to))) return false;
      setChoosing(undefined);
      // A member of the group that has the question now can still answer it, so the card stays.
      tell("given", words.givenTo(isolate(chosen.name)));
      return true;
    });
  }, [choosing, rootRef, run, assign, tell, words]);
  useEffect(() => {
    if (choosing !== undefined) focusChoice(rootRef.current);
  }, [choosing, rootRef]);

  const isOffered =
    request.giveOn === true &&
    request.assignee === undefined &&
    (status === "pending" || status === "submitting");
  return useMemo(
    () => ({
      busy,
      // A notice about the previous assignee is out of date.
      told: told?.about === about ? told : undefined,
      takeBack,
      remind: sendReminder,
      giveOn: !isOffered
        ? undefined
        : choosing === undefined
          ? { isOpen: false, toggle, give }
          : { isOpen: true, field: choosing.field, questions: choosing.questions, toggle, give },
    }),
    [busy, told, about, takeBack, sendReminder, isOffered, choosing, toggle, give],
  );
}

/** Name of the only field. */
const CHOICE = "to";

function choiceOf(choices: AssigneeList["assignees"], label: string, questions: Questions): Asking {
  const options = choices.map(({ name }, index) => ({ value: String(index), label: name }));
  const field: Field = { kind: "choice", name: CHOICE, label, required: true, options };
  const form = createFormState({ fields: [field], drafts: {}, hasSecrets: false, onChange: () => undefined });
  const none = {
    secretFields: [],
    context: undefined,
    isHeading: false,
    isStepped: false,
    isPressed: false,
    // Shown as one of several questions, because number keys only belong to a single one.
    isAlone: false,
    choices: new Map(),
  };
  return { field, questions: { ...questions, ...none, fields: [field], form } };
}

function focusChoice(root: HTMLElement | null): void {
  root
    ?.querySelector<HTMLElement>("[data-give-to] :is(input, select, textarea, button, [tabindex])")
    ?.focus();
}
