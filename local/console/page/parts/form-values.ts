import { AskError, messageOf } from "./ask.ts";

/** Named as in the request's body. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /**
   * Default: `text`. `words` is a list of texts separated by commas; `json` an object, `list` an array, as
   * JSON.
   */
  readonly kind?: "check" | "choice" | "json" | "list" | "long" | "number" | "password" | "text" | "words";
  readonly hint?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly options?: readonly (string | readonly [value: string, words: string])[];
  readonly codes?: readonly string[];
}

export type FormValues = Readonly<Record<string, string | boolean>>;

export interface ReadForm {
  readonly body: Record<string, unknown>;
  readonly errors: Readonly<Record<string, string>>;
}

export function toFormValues(
  fields: readonly FormField[],
  entity: Readonly<Record<string, unknown>> = {},
): FormValues {
  return Object.fromEntries(fields.map((field) => [field.name, toValue(field, entity[field.name])]));
}

/** Leaves out empty fields. */
export function readNew(fields: readonly FormField[], values: FormValues): ReadForm {
  const errors: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[field.name];
    if (value === "" || value === undefined) {
      if (field.isRequired === true) errors[field.name] = `${field.label} is required.`;
      continue;
    }
    readValue(field, value, body, errors);
  }
  return { body, errors };
}

/** Emptied fields are listed in `unset` if the platform supports that, and otherwise sent empty. */
export function readChanges(
  fields: readonly FormField[],
  before: FormValues,
  values: FormValues,
  unsettable: readonly string[] = [],
): ReadForm {
  const errors: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  const unset: string[] = [];
  for (const field of fields) {
    const value = values[field.name];
    if (value === undefined || value === before[field.name]) continue;
    if (value !== "") readValue(field, value, body, errors);
    else if (field.isRequired === true) errors[field.name] = `${field.label} is required.`;
    else if (unsettable.includes(field.name)) unset.push(field.name);
    else
      body[field.name] =
        field.kind === "words" || field.kind === "list" ? [] : field.kind === "json" ? {} : "";
  }
  return { body: unset.length > 0 ? { ...body, unset } : body, errors };
}

/** `rest` belongs to no field. */
export function placeErrors(
  fields: readonly FormField[],
  error: unknown,
): { errors: Readonly<Record<string, string>>; rest: string | undefined } {
  if (!(error instanceof AskError)) return { errors: {}, rest: messageOf(error) };
  const errors: Record<string, string> = {};
  const strays: string[] = [];
  for (const [name, text] of Object.entries(error.details)) {
    // A path into a field (`metadata.@private.email`) is shown at the field.
    const field = fields.find((one) => one.name === name || name.startsWith(`${one.name}.`));
    if (field === undefined) strays.push(text);
    else errors[field.name] = text;
  }
  const byCode = fields.find(({ codes }) => error.code !== undefined && codes?.includes(error.code));
  if (byCode !== undefined) errors[byCode.name] ??= error.message;
  if (strays.length > 0) return { errors, rest: strays.join(" ") };
  return { errors, rest: Object.keys(errors).length > 0 ? undefined : error.message };
}

function toValue(field: FormField, value: unknown): string | boolean {
  if (field.kind === "check") return value === true;
  if (value === undefined || value === null) {
    const [first] = field.kind === "choice" ? (field.options ?? []) : [];
    return first === undefined ? "" : typeof first === "string" ? first : first[0];
  }
  if (field.kind === "words" && Array.isArray(value)) return value.join(", ");
  if (field.kind === "json" || field.kind === "list") return JSON.stringify(value, undefined, 2);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function readValue(
  { name, kind, label }: FormField,
  value: string | boolean,
  body: Record<string, unknown>,
  errors: Record<string, string>,
): void {
  if (typeof value === "boolean") {
    body[name] = value;
  } else if (kind === "words") {
    body[name] = splitWords(value);
  } else if (kind === "number") {
    if (Number.isFinite(Number(value))) body[name] = Number(value);
    else errors[name] = `${label} must be a number.`;
  } else if (kind === "json" || kind === "list") {
    const parsed = parse(value);
    if (parsed === undefined || Array.isArray(parsed) !== (kind === "list")) {
      errors[name] = `${label} must be a JSON ${kind === "list" ? "array" : "object"}.`;
    } else {
      body[name] = parsed;
    }
  } else {
    body[name] = value;
  }
}

export function splitWords(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
