import { LONGEST_TEXT } from "./check-value.ts";
import type { Field } from "./field.ts";

/** The largest values of integers with 32 and 64 bits and of safe integers, with and without a sign. */
const STORED: ReadonlySet<number> = /* @__PURE__ */ new Set(
  [31, 32, 53, 63, 64].flatMap((bits) => [2 ** bits - 1, 2 ** bits]),
);

/**
 * Whether a limit of a number says how a program stores it. Generators write such limits for each integer of a model.
 * Users would take them for a rule about their answer.
 */
export function isStorageLimit(limit: number): boolean {
  const size = Math.abs(limit);
  return size >= Number.MAX_SAFE_INTEGER || STORED.has(size);
}

/** The limits of an answer that are worth telling a user, each absent if there is none. */
export interface SaidLimits {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/**
 * The limits of a number, of the length of a text of several lines, or of how many options are chosen. A rating shows each
 * of its steps, and few answers of one line come near the limit.
 */
export function saidLimits(field: Field, control: string): SaidLimits {
  switch (field.kind) {
    case "number": {
      if (control === "rating") return {};
      const said = (limit: number | undefined) =>
        limit === undefined || isStorageLimit(limit) ? undefined : limit;
      return { least: said(field.minimum), most: said(field.maximum) };
    }
    case "text": {
      const { maxLength } = field;
      if (control !== "textarea") return {};
      // No server takes a longer answer, so the limit was not meant for people.
      return { most: (maxLength ?? Infinity) > LONGEST_TEXT ? undefined : maxLength };
    }
    case "multi-choice": {
      const { minItems = 0, maxItems = Infinity, options } = field;
      return {
        least: minItems > 0 ? minItems : undefined,
        most: maxItems < options.length ? maxItems : undefined,
      };
    }
    default:
      return {};
  }
}
