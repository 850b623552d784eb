import { isAlias, isMap, isNode, isScalar } from "yaml";
import { readEnabledNames } from "../lib/triggers/enabled-names.ts";
import { ConfigFileError, type ConfigText, placeIn, readConfigText } from "./config-text.ts";
import { hintAt, nearestName } from "./nearest-name.ts";

/** The sources of the two tables of triggers. */
export interface TriggerTables {
  /** functions/own/triggers.ts */
  readonly own: string;
  /** functions/triggers/index.ts */
  readonly shipped: string;
}

/**
 * Says which names of triggers are wrong, a line for each: those in config/triggers.yml that no trigger has, as a consumer
 * that is told to run one cannot start, and those that an own trigger and a shipped one have both.
 * @param triggers The text of config/triggers.yml.
 * @param tables Where a table is written in another way than it ships, nothing is said of names that may be in it.
 * @param stages The stages that there are; without them nothing is said of theirs.
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
    return [...clashes, ...wrongStages(text, stages), ...unknownNames(text, known)];
  } catch (error) {
    if (error instanceof ConfigFileError) return [...clashes, ...error.message.split("\n")];
    throw error;
  }
}

function wrongStages(text: ConfigText, stages: readonly string[] | undefined): readonly string[] {
  const { contents } = text.document;
  if (contents === null) return [];
  if (!isMap(contents)) return [`${text.file}:1:1: (the file): expected keys with values`];
  return contents.items.flatMap(({ key }) => {
    const stage = isScalar(key) ? String(key.value) : "";
    if (stages === undefined || stages.includes(stage)) return [];
    const hint = `${hintAt(stage, stages)} (config/stages.yml names the stages)`;
    return [`${placeOf(text, key)}: there is no stage "${stage}"${hint}`];
  });
}

function unknownNames(text: ConfigText, known: readonly string[] | undefined): readonly string[] {
  const { contents } = text.document;
  if (known === undefined || !isMap(contents)) return [];
  return contents.items.flatMap(({ key, value }) => {
    const place = placeOf(text, value);
    const names = isAlias(value) ? value.resolve(text.document) : value;
    if (names === null || (isScalar(names) && names.value === null)) return [];
    if (!isScalar(names)) return [`${place}: expected a text with commas, such as: auto-reply, welcome`];
    return readEnabledNames(String(names.value))
      .filter(({ name }) => !known.includes(name))
      .map(({ name }) => {
        const meant = nearestName(name, known);
        const hint = meant === undefined ? `; there are ${known.join(", ")}` : `; did you mean "${meant}"?`;
        return `${place}: ${String(key)}: there is no trigger "${name}"${hint}`;
      });
  });
}

function placeOf(text: ConfigText, node: unknown): string {
  return placeIn(text, (isNode(node) && node.range?.[0]) || 0);
}

interface NamedPlace {
  readonly name: string;
  /** Line and column. */
  readonly place: string;
}

/** The keys of a table; importing it would need the files that are being checked. */
function namesIn(source: string, table: string): readonly NamedPlace[] | undefined {
  const code = source.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  const found = new RegExp(`export const ${table}[^=]*= \\{([^{}]*)\\}`).exec(code);
  const entries = found?.[1];
  if (found === null || entries === undefined || entries.includes("...")) return undefined;
  const start = found.index + found[0].length - entries.length - 1;
  return [...entries.matchAll(/(?<=(?:^|,)\s*["']?)(?<![\w-])[\w-]+(?=["']?\s*(?:[:,(]|$))/g)].map(
    ({ 0: name, index }) => {
      const lines = code.slice(0, start + index).split("\n");
      return { name, place: `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}` };
    },
  );
}
