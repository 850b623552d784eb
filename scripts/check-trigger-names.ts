import { isScalar, LineCounter, parseDocument, visit } from "yaml";

/**
 * Says which names in config/triggers.yml no trigger has, a line for each: a consumer that is told to run one cannot start.
 * @param stages The text of config/triggers.yml.
 * @param table The source of functions/triggers/index.ts; where its table is written in another way, nothing is said.
 */
export function checkTriggerNames(stages: string, table: string): readonly string[] {
  const known = namesIn(table);
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
        const has = `functions/triggers/index.ts has ${known.join(", ")}`;
        mistakes.push(`config/triggers.yml:${line}: ${String(key)}: there is no "${name.trim()}"; ${has}`);
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

/** The keys of the table; importing it would need the files that are being checked. */
function namesIn(table: string): readonly string[] | undefined {
  const entries = /export const triggers[^=]*= \{([^{}]*)\}/.exec(table)?.[1];
  if (entries === undefined || entries.includes("...")) return undefined;
  const lines = entries.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "").split(",");
  return lines.flatMap((line) => /^\s*["']?([\w-]+)/.exec(line)?.[1] ?? []);
}
