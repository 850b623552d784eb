import { badRequest, ensureField, missing, required } from "../errors/platform-error.ts";
import { defined, isJsonObject, isStringArray, type JsonObject, mapValues } from "../json.ts";
import type { SentBody } from "./route.ts";

// Readers throw PlatformError ERR_BAD_REQUEST. Null counts as absent (assumed).

type Reader<T> = (body: JsonObject, field: string) => T | undefined;

export const optionalFlag = reader((value) => typeof value === "boolean", "field must be true or false");

export const optionalObject = reader(isJsonObject, "must be an object");

const optionalString = reader((value) => typeof value === "string", "must be a string");
const optionalStrings = reader(isStringArray, "must be an array of strings");

function reader<T>(is: (value: unknown) => value is T, says: string): Reader<T> {
  return (body, field) => {
    const value = present(body, field);
    if (value === undefined) return undefined;
    ensureField(is(value), field, `The ${field} ${says}.`);
    return value;
  };
}

export function requiredText(body: JsonObject, field: string, maxLength = unlimited): string {
  const value = optionalText(body, field, maxLength);
  if (value === undefined || value.trim() === "") throw missing(field);
  return value;
}

/** Counts UTF-16 units (docs/internals/platform/ids-and-limits.md#texts). */
export function optionalText(body: JsonObject, field: string, maxLength = unlimited): string | undefined {
  const value = optionalString(body, field);
  const says = `The ${field} may not be greater than ${maxLength} characters.`;
  ensureField(value === undefined || value.length <= maxLength, field, says);
  return value;
}

export function choice<const T extends string>(
  body: JsonObject,
  field: string,
  allowed: readonly T[],
): T | undefined {
  const value = present(body, field);
  if (value === undefined) return undefined;
  const match = allowed.find((word) => word === value);
  ensureField(match !== undefined, field, `The ${field} must be one of: ${allowed.join(", ")}.`);
  return match;
}

export function requiredChoice<const T extends string>(
  body: JsonObject,
  field: string,
  allowed: readonly T[],
): T {
  return required(choice(body, field, allowed), field);
}

/** Allows 5 KB. @see docs/internals/platform/ids-and-limits.md#size-of-metadata */
export function optionalMetadata(body: JsonObject): JsonObject | undefined {
  const metadata = optionalObject(body, "metadata");
  ensureField(
    metadata === undefined || Buffer.byteLength(JSON.stringify(metadata)) <= 5 * 1_024,
    "metadata",
    "The metadata may not be greater than 5 KB.",
  );
  return metadata;
}

export function optionalTexts(body: JsonObject, field: string, maxItems = unlimited): string[] | undefined {
  const value = optionalStrings(body, field);
  const says = `The ${field} may not have more than ${maxItems} items.`;
  ensureField(value === undefined || value.length <= maxItems, field, says);
  return value;
}

export function textsOf(body: JsonObject, field: string): string[] {
  return optionalStrings(body, field) ?? [];
}

/** Allows 25 tags of 100 characters. @see docs/internals/platform/ids-and-limits.md#tags */
export function optionalTags(body: JsonObject): string[] | undefined {
  const tags = optionalTexts(body, "tags", 25);
  ensureField(
    !tags?.some((tag) => tag.length > 100),
    "tags",
    "A tag may not be greater than 100 characters.",
  );
  return tags;
}

/** Lowers a uid, guid or role. @see docs/internals/platform/ids-and-limits.md#chosen-ids */
export function requiredId(body: JsonObject, field: string): string {
  const id = requiredText(body, field, 100).toLowerCase();
  ensureField(
    /^[a-z0-9_-]+$/.test(id),
    field,
    `The ${field} may only contain letters, numbers, dashes and underscores.`,
  );
  return id;
}

/** Allows http and https, and 255 characters. */
export function optionalUrl(body: JsonObject, field: string): string | undefined {
  const value = optionalText(body, field, 255);
  const isUrl = value === undefined || isWebAddress(value);
  ensureField(isUrl, field, `The ${field} must be a valid URL.`);
  return value;
}

/** Refuses spaces, backslashes and `http:x`, which `URL` accepts. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/\\]\S*$/i.test(text) && URL.canParse(text);
}

/** `readFields(body, { name: text(100), tags: optionalTags })` */
export function readFields<T extends object>(
  body: JsonObject,
  readers: { [Field in keyof T]: Reader<T[Field]> },
): Partial<T>;
export function readFields(body: JsonObject, readers: Record<string, Reader<unknown>>): object {
  return defined(mapValues(readers, (read, field) => read(body, field)));
}

export function unset<Field extends string>(
  body: JsonObject,
  changed: { [Name in Field]?: unknown },
  fields: readonly Field[],
): void {
  const says = `The unset field may name ${fields.slice(0, -1).join(", ")} and ${fields.at(-1)}.`;
  for (const name of textsOf(body, "unset")) {
    const field = fields.find((known) => known === name);
    ensureField(field !== undefined, "unset", says);
    delete changed[field];
  }
}

export function text(maxLength: number): Reader<string> {
  return (body, field) => optionalText(body, field, maxLength);
}

const unlimited = Number.POSITIVE_INFINITY;

function present(body: JsonObject, field: string) {
  const value = Object.hasOwn(body, field) ? body[field] : undefined;
  return value === null ? undefined : value;
}

export async function readForm({ rawBody, contentType }: SentBody): Promise<FormData> {
  try {
    return await new Response(rawBody.slice(), { headers: { "content-type": contentType } }).formData();
  } catch {
    throw badRequest({ body: "The body must be multipart/form-data." });
  }
}

export function fileOf(form: FormData, name: string): File | undefined {
  const value = form.get(name);
  return value === null || typeof value === "string" ? undefined : value;
}
