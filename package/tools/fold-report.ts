/**
 * Makes a report readable and stable: families are shown by their operations and requests, without their schemas, which the
 * named inputs and answers tell in words; marks of missing comments go, the reference checks those.
 */
export function foldReport(report: string): string {
  const kept: string[] = [];
  let endsAt: RegExp | undefined;
  for (const line of report.replaceAll("\r\n", "\n").split("\n")) {
    if (endsAt !== undefined) {
      if (endsAt.test(line)) endsAt = undefined;
      continue;
    }
    if (isNoise.some((noise) => noise.test(line)) || (line === "" && kept.at(-1) === "")) continue;
    if (schemaOfOperation.test(line)) {
      if (!line.endsWith(";")) endsAt = /^ {8}\S.*;$/;
    } else if (schemaValue.test(line)) {
      while (kept.at(-1)?.startsWith("// ")) kept.pop();
      if (!line.endsWith(";")) endsAt = /^\S.*;$/;
    } else kept.push(line);
  }
  return kept.join("\n");
}

const isNoise = [/^ *\/\/ \(undocumented\)$/, /^import .* from 'zod[^']*';$/];
const schemaOfOperation = /^ {8}readonly (?:input|answer): /;
/** A schema, or what makes one, that the door does not export. */
const schemaValue = /^(?:const|function) .*(?:Schema<|z\.Zod|ZodMini)/;
