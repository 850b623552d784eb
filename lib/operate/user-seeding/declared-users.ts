import * as z from "zod/mini";
import { OwnError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import type { JsonValue } from "../../base/json-value.ts";
import { words } from "../../chat/schema.ts";
import type { UserProfile } from "../../endpoints/login/keep-user.ts";

export interface DeclaredUser extends UserProfile {
  readonly uid: string;
}

/**
 * Two uids may not differ only by case, as the platform lowers them
 * (docs/internals/platform/ids-and-limits.md#chosen-ids).
 */
const uid = z
  .string()
  .check(z.regex(/^[a-z0-9_-]{1,100}$/i, { message: "must be 1 to 100 of a-z 0-9 - _" }), z.toLowerCase());

const address = z.string().check(
  z.refine((text) => text.length <= 3_000 && URL.canParse(text) && new URL(text).protocol === "https:", {
    message: "must be an https address of at most 3000 characters",
  }),
);

/** At most 5 KB (docs/internals/platform/ids-and-limits.md#size-of-metadata). */
const metadata = z.custom<Record<string, JsonValue>>(
  (value) => isRecord(value) && Buffer.byteLength(JSON.stringify(value)) <= 5 * 1_024,
  "must be fields of at most 5 KB as JSON",
);

const userSchema = z.strictObject({
  uid,
  name: words(100),
  avatar: z.optional(address),
  link: z.optional(address),
  role: z.optional(uid),
  statusMessage: z.optional(z.string()),
  metadata: z.optional(metadata),
});

/** The first line names the columns; unknown ones go into the metadata. */
const tableSchema = z.pipe(
  z.string(),
  z.transform((text, context) => {
    try {
      const users = z.safeParse(z.array(userSchema), readCsv(text).map(fromRow));
      if (users.success) return users.data;
      for (const { path, message } of users.error.issues.slice(0, 20)) {
        const [row = 0, column = ""] = path;
        const where = `row ${Number(row) + 1}, column ${String(column)}`;
        context.issues.push({ code: "custom", message: `${where}: ${message}`, input: undefined });
      }
    } catch (error) {
      if (!(error instanceof InvalidCsvError)) throw error;
      context.issues.push({ code: "custom", message: error.message, input: undefined });
    }
    return z.NEVER;
  }),
);

export const declaredUsersSchema = z
  .pipe(
    z.strictObject({
      users: z._default(z.array(userSchema), []),
      table: z.optional(tableSchema),
      /** Uids under a legal hold: `people erase` refuses them. */
      legalHold: z.optional(z.array(uid)),
    }),
    z.transform(({ users, table = [], legalHold }) => ({
      users: [...users, ...table],
      ...(legalHold && { legalHold }),
    })),
  )
  .check(
    z.refine(({ users }) => new Set(users.map(({ uid }) => uid)).size === users.length, {
      message: "two users have the same uid",
    }),
  );

const ownFields = ["uid", "name", "avatar", "link", "role", "statusMessage"];

function fromRow(row: Readonly<Record<string, string>>) {
  const entries = Object.entries(row);
  const facts = entries.filter(([name]) => !ownFields.includes(name));
  const own = entries.filter(([name]) => ownFields.includes(name));
  return { ...Object.fromEntries(own), ...(facts.length > 0 && { metadata: Object.fromEntries(facts) }) };
}

export class InvalidCsvError extends OwnError {
  override readonly name = "InvalidCsvError";
}

/** Reads RFC 4180. Skips empty lines and empty fields. @throws InvalidCsvError */
export function readCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = readRows(text.replace(/^\ufeff/, ""));
  if (new Set(names).size !== names.length || names.includes("")) {
    throw new InvalidCsvError("The first line must name each column once.");
  }
  return rows.map((fields, index) => {
    if (fields.length === names.length) {
      return Object.fromEntries(
        names.map((name, at) => [name, fields[at] ?? ""]).filter(([, field]) => field !== ""),
      );
    }
    throw new InvalidCsvError(`Row ${index + 1} has ${fields.length} fields instead of ${names.length}.`);
  });
}

const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function readRows(text: string) {
  const rows: string[][] = [];
  let row: string[] = [];
  field.lastIndex = 0;
  while (field.lastIndex < text.length || row.length > 0) {
    const at = field.lastIndex;
    const found = field.exec(text);
    if (found === null) throw new InvalidCsvError(`Row ${rows.length} has a quote where none can be.`);
    const [, quoted, plain = "", end] = found;
    row.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (row.length > 1 || row[0] !== "" || quoted !== undefined) rows.push(row);
    row = [];
    if (field.lastIndex === at) break; // the text's end
  }
  return rows;
}
