import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { type Draft, initialDrafts, parseRequestedSchema, validate } from "../src/form/index.ts";
import { checkContent } from "../src/form/check-content.ts";

const GROUPS = 4;
const ROUNDS = 9;

/** A form of twenty fields that uses every kind of keyword, and a valid answer. Each call creates new objects. */
function twentyFields(): {
  schema: { properties: Record<string, unknown> };
  content: Record<string, Draft | number>;
} {
  const properties: Record<string, unknown> = {};
  const content: Record<string, Draft | number> = {};
  for (let n = 0; n < GROUPS; n++) {
    properties[`name${n}`] = { type: "string", minLength: 1, maxLength: 80, pattern: "^[A-Z][a-z]+$" };
    properties[`mail${n}`] = { type: "string", format: "email" };
    properties[`day${n}`] = { type: "string", format: "date" };
    properties[`nights${n}`] = { type: "integer", minimum: 1, maximum: 30 };
    properties[`meals${n}`] = {
      type: "array",
      items: { type: "string", enum: ["breakfast", "lunch", "dinner"] },
      minItems: 1,
    };
    content[`name${n}`] = "Ada";
    content[`mail${n}`] = "ada@example.com";
    content[`day${n}`] = "2026-11-21";
    content[`nights${n}`] = 3;
    content[`meals${n}`] = ["breakfast", "dinner"];
  }
  const required = Object.keys(properties);
  return { schema: Object.assign({ type: "object", properties }, { required }), content };
}

function ajvForForms(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats["default"](ajv);
  return ajv;
}

/** CPU microseconds of one call. */
function timeOf(calls: number, work: () => boolean): number {
  const begin = process.cpuUsage();
  for (let n = 0; n < calls; n++) if (!work()) throw new Error("the answer must fit its form");
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / calls;
}

/** CPU microseconds for one answer of twenty fields: the minimum of several interleaved rounds. */
export interface FormTimes {
  /** Checks a schema that is new to the kit, and the content, as a server does. */
  cold: number;
  /** The same with ajv, which compiles a validator first: compile, then validate. */
  ajvCold: number;
  /** A form that is already on the page: reads and checks its drafts. */
  warm: number;
  /** The same with a compiled validator of ajv. */
  ajvWarm: number;
}

export function measureForm(): FormTimes {
  const { schema, content } = twentyFields();
  const parsed = parseRequestedSchema(schema);
  if (!parsed.ok) throw new Error("the form must be one that can be shown");
  const drafts: Record<string, Draft> = { ...initialDrafts(parsed.fields) };
  for (const [name, value] of Object.entries(content)) {
    drafts[name] = typeof value === "number" ? String(value) : value;
  }
  const ajv = ajvForForms();
  const compiled = ajv.compile(schema);
  const work = {
    cold: [100, () => checkContent(twentyFields().schema, content).ok],
    ajvCold: [
      10,
      () => {
        const { schema: fresh } = twentyFields();
        const ok = ajv.compile(fresh)(content);
        // A server that receives a new schema with each request must not keep them all.
        ajv.removeSchema(fresh);
        return ok;
      },
    ],
    warm: [5_000, () => validate(parsed.fields, drafts).ok],
    ajvWarm: [5_000, () => compiled(content)],
  } as const satisfies Record<keyof FormTimes, readonly [number, () => boolean]>;
  const times: FormTimes = { cold: Infinity, ajvCold: Infinity, warm: Infinity, ajvWarm: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ["cold", "ajvCold", "warm", "ajvWarm"] as const) {
      times[name] = Math.min(times[name], timeOf(work[name][0], work[name][1]));
    }
  }
  return times;
}
