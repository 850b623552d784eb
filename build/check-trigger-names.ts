import * as z from "zod/mini";
import { readEnabledNames } from "../lib/handle/enabled-triggers.ts";
import { type ConfigText, noteMistakes, placeOf, readConfigText } from "./config-text.ts";
import { hintAt } from "./nearest-name.ts";
import { parseBy } from "./parse-by.ts";
import { unknownStages } from "./stages.ts";

export const triggersSchema = z.record(z.string(), z.nullable(z.string()));

export interface TriggerTables {
  readonly own: string;
  readonly shipped: string;
}

/**
 * Lists unknown names in config/triggers.yml, with which a consumer cannot start, and names that an own and a
 * shipped trigger share.
 * @param tables compared only if both are written as they ship
 * @param stages undefined: their names are not checked
 */
export function checkTriggerNames(
  triggers: string,
  tables: TriggerTables,
  stages?: readonly string[],
): readonly string[] {
  const own = namesIn(tables.own, "ownTriggers");
  const shipped = namesIn(tables.shipped, "shippedTriggers");
  const clashes = (own ?? []).flatMap(({ name, place }) =>
    shipped?.some((taken) => taken.name === name)
      ? [
          `functions/own/triggers.ts:${place}: "${name}" is the name of a shipped trigger; give yours another one`,
        ]
      : [],
  );
  const known = own && shipped && [...own, ...shipped].map(({ name }) => name);
  try {
    const text = readConfigText("config/triggers.yml", triggers);
    return [...clashes, ...unknownStages(text, stages), ...unknownNames(text, known)];
  } catch (error) {
    noteMistakes(clashes, error);
    return clashes;
  }
}

function unknownNames(text: ConfigText, known: readonly string[] | undefined) {
  const stages = parseBy(triggersSchema, [text]);
  return Object.entries(stages).flatMap(([stage, names]) =>
    readEnabledNames(names ?? "")
      .filter(({ name }) => name === shadowAlone || known?.includes(name) === false)
      .map(({ name }) => `${placeOf(text, [stage])}: ${stage}: ${whatIsUnknown(name, known ?? [])}`),
  );
}

const shadowAlone = "(shadow)";

function whatIsUnknown(name: string, known: readonly string[]) {
  return name === shadowAlone
    ? `"${name}" has no trigger: write it after a name without a comma, as in "welcome (shadow)"`
    : `there is no trigger "${name}"${hintAt(name, known)}`;
}

/** Parses: an import would need the files being checked. */
function namesIn(source: string, table: string) {
  const found = tableIn(source, table);
  if (found === undefined) return undefined;
  const { code, start, entries } = found;
  return [...entries.matchAll(/(?<=(?:^|,)\s*["']?)(?<![\w-])[\w-]+(?=["']?\s*(?:[:,(]|$))/g)].map(
    ({ 0: name, index }) => {
      const lines = code.slice(0, start + index).split("\n");
      return { name, place: `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}` };
    },
  );
}

function tableIn(source: string, table: string) {
  const code = source.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  const found = new RegExp(`export const ${table}[^=]*= \\{([^{}]*)\\}`).exec(code);
  const entries = found?.[1];
  if (found === null || entries === undefined || entries.includes("...")) return undefined;
  return { code, entries, start: found.index + found[0].length - entries.length - 1 };
}

/** Keeps this entry alone. @returns undefined if the table lacks it */
export function onlyEntry(source: string, table: string, name: string): string | undefined {
  const found = tableIn(source, table);
  const entry = found?.entries
    .split(",")
    .find((one) => one.split(":")[0]?.trim().replaceAll(/["']/g, "") === name);
  if (found === undefined || entry === undefined) return undefined;
  const { code, entries, start } = found;
  return code.slice(0, start) + entry + code.slice(start + entries.length);
}
