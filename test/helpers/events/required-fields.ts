import { readFileSync } from "node:fs";
import type { Path } from "./change-field.ts";

const page = readFileSync(new URL("../../../docs/internals/reading.md", import.meta.url), "utf8");

/**
 * Returns the fields of a body that docs/internals/reading.md calls required, outermost first: those of
 * `data`, of the message inside for the documented form of a changed message, and of each message of the
 * e-mail extension.
 */
export function requiredFields(body: Readonly<Record<string, unknown>>): readonly Path[] {
  const row = rowOf(body);
  if (row === undefined)
    throw new Error(`docs/internals/reading.md has no row for ${body.trigger ?? "email-extension"}.`);
  const fields = fieldsIn(row.required);
  if (row.triggers.includes("email-extension")) {
    const [to = [], ...ofMessage] = fields;
    const messages = Array.isArray(body.body) ? body.body : [];
    return [
      to,
      ...messages.flatMap((_, index) => ofMessage.slice(1).map((path) => ["body", `${index}`, ...path])),
    ];
  }
  const [own, inner] = fields;
  if (row.required.includes("instead")) return [["data", ...((isActionForm(body) ? inner : own) ?? [])]];
  return fields.map((path) => ["data", ...path]);
}

/** Lists the triggers with a row on the page. */
export function triggersOnPage(): readonly string[] {
  return rows.flatMap(({ triggers }) => triggers);
}

const rows = [...page.matchAll(/^\| (`[^|]+) \| ([^|]+) \|$/gm)].map(([, first = "", required = ""]) => ({
  triggers: [...first.matchAll(/`([\w-]+)`/g)].map(([, trigger = ""]) => trigger),
  isLegacy: first.includes("(legacy)"),
  required,
}));

function rowOf({ trigger = "email-extension", data }: Readonly<Record<string, unknown>>) {
  const isLegacy = String(trigger).endsWith("_receipt") && Object.hasOwn(Object(data), "messageId");
  return rows.find((row) => row.isLegacy === isLegacy && row.triggers.includes(String(trigger)));
}

function fieldsIn(text: string): Path[] {
  return [...text.matchAll(/`([\w.]+)`/g)].map(([, path = ""]) => path.split("."));
}

function isActionForm(body: Readonly<Record<string, unknown>>) {
  return JSON.stringify(body).includes('"category":"action"');
}
