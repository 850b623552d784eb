import { isScalar, LineCounter, parseDocument, visit } from "yaml";

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
 * @param stages The text of config/triggers.yml.
 * @param tables Where a table is written in another way than it ships, nothing is said of names that may be in it.
 */
export function checkTriggerNames(stages: string, tables: TriggerTables): readonly string[] {
  const own = namesIn(tables.own, "ownTriggers");
  const shipped = namesIn(tables.shipped, "shippedTriggers");
  const clashes = (own ?? []).flatMap(({ name, line }) =>
    shipped?.some((taken) => taken.name === name)
      ? [
          `functions/own/triggers.ts:${line}: "${name}" is the name of a shipped trigger; give yours another one`,
        ]
      : [],
  );
  return [
    ...clashes,
    ...unknownNames(stages, own && shipped && [...own, ...shipped].map(({ name }) => name)),
  ];
}

function unknownNames(stages: string, known: readonly string[] | undefined): readonly string[] {
  const lines = new LineCounter();
  const document = parseDocument(stages, { lineCounter: lines });
  const mistakes: string[] = [];
  if (known === undefined) return mistakes;
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (!isScalar(value) || value.value === null) return;
      for (const name of String(value.value).split(",")) {
        if (name.trim() === "" || known.includes(name.trim())) continue;
        const { line } = lines.linePos(value.range?.[0] ?? 0);
        const has = `there are ${known.join(", ")}`;
        mistakes.push(
          `config/triggers.yml:${line}: ${String(key)}: there is no trigger "${name.trim()}"; ${has}`,
        );
      }
    },
    Seq: (_key, { range }) => {
      const { line } = lines.linePos(range?.[0] ?? 0);
      mistakes.push(`config/triggers.yml:${line}: expected a text with commas, such as: auto-reply, welcome`);
      return visit.SKIP;
    },
  });
  return mistakes;
}

interface NamedPlace {
  readonly name: string;
  readonly line: number;
}

/** The keys of a table; importing it would need the files that are being checked. */
function namesIn(source: string, table: string): readonly NamedPlace[] | undefined {
  const code = source.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  const found = new RegExp(`export const ${table}[^=]*= \\{([^{}]*)\\}`).exec(code);
  const entries = found?.[1];
  if (found === null || entries === undefined || entries.includes("...")) return undefined;
  const start = found.index + found[0].length - entries.length - 1;
  return [...entries.matchAll(/(?<=^|,)\s*["']?([\w-]+)/g)].map(({ 0: text, 1: name = "", index }) => ({
    name,
    line: code.slice(0, start + index + text.length).split("\n").length,
  }));
}
