import * as z from "zod/mini";
import type { ElicitationContent } from "./contract.ts";
import { isObject } from "./json.ts";
import { isTimestamp } from "./timestamp.ts";

// The values that build the schemas of the contract.

export const text = z.string();
export const optionalText = z.optional(text);
/** Visible characters, and not only dots: an id is a segment of a URL path, where dots alone would change the path. */
const ID = /^(?!\.+$)[^\p{Cc}\p{Cf}\p{Cs}]{1,256}$/u;
export const elicitationId = text.check(
  z.refine((value) => ID.test(value)),
  z.meta({ pattern: ID.source }),
);
export const timestamp = text.check(z.refine(isTimestamp), z.meta({ format: "date-time" }));
/** In code points, as JSON Schema counts; zod's own `maxLength` counts UTF-16. */
const MAX_LENGTH = 8192;
const isShort = (value: string): boolean =>
  value.length <= 2 * MAX_LENGTH && Array.from(value).length <= MAX_LENGTH;
export const shortText = text.check(z.refine(isShort), z.meta({ maxLength: MAX_LENGTH }));
export const absoluteUrl = text.check(
  z.refine((value) => isShort(value) && URL.canParse(value)),
  z.meta({ format: "uri", maxLength: MAX_LENGTH }),
);
export const count = z.number().check(
  z.refine((value) => Number.isSafeInteger(value) && value > 0),
  z.meta({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
);
// `nothing` and booleans avoid zod's `never` and `boolean` classes, which would increase the bundle size.
export const nothing = z.optional(z.custom<undefined>(() => false).check(z.meta({ not: {} })));

const contentValue = z.union([text, z.number(), z.literal([true, false]), z.array(text)]);
export const content = z
  .custom<ElicitationContent>(
    (value) =>
      isObject(value) && Object.values(value).every((entry) => contentValue.safeParse(entry).success),
  )
  .check(
    z.meta({
      type: "object",
      additionalProperties: { type: ["string", "number", "boolean", "array"], items: { type: "string" } },
    }),
  );
