/**
 * Puts first what a door exports, then what that is made of and what no report before tells; `told` holds what reports
 * have told so far, and takes up what this one tells.
 */
export function sortReport(report: string, told: Set<string>): string {
  const [head = "", body = ""] = report.split("```ts\n");
  const blocks = body
    .replace(/\n```\n*$/, "\n")
    .split(/\n\n+/)
    .map((block) => block.trim())
    .filter((block) => block !== "" && !block.startsWith("// (No @packageDocumentation"));
  const imports = blocks.filter((block) => block.startsWith("import "));
  const isExported = (block: string): boolean => /^export /m.test(block);
  const exported = blocks.filter((block) => !block.startsWith("import ") && isExported(block));
  const parts = blocks.filter(
    (block) => !block.startsWith("import ") && !isExported(block) && !told.has(keyOf(block)),
  );
  for (const block of [...exported, ...parts]) told.add(keyOf(block));
  const section =
    parts.length === 0 ? [] : ["// What that is made of, and the door does not export by itself:", ...parts];
  return `${head}\`\`\`ts\n${[...imports, ...exported, ...section].join("\n\n")}\n\`\`\`\n`;
}

/** What a declaration says, whoever exports it; names that a report had to number are told without their number. */
function keyOf(block: string): string {
  return block.replace(/^export (?:declare )?/m, "").replace(/\b([A-Za-z]\w*?)_\d+\b/g, "$1");
}
