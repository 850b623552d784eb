/** A command line on a page, with what it printed when the page was written. */
export interface CommandBlock {
  /** The name in `<!-- prepared: … -->` on the line above the block: its precondition. */
  readonly prepared: string | undefined;
  /** The text after `$ npx cometchat-functions `. */
  readonly typed: string;
  readonly printed: string;
  readonly line: number;
}

const block =
  /(?:<!-- prepared: (?<prepared>.+?) -->\n\n?)?^```console\n\$ npx cometchat-functions(?: (?<typed>.*))?\n(?<printed>(?:(?!```).*\n)*)```$/gm;

/**
 * Reads the blocks of a page: fenced as `console`, the command first.
 * @throws Error for a block of another form, whose output would not be checked
 */
export function commandBlocksOf(page: string): readonly CommandBlock[] {
  const blocks = [...page.matchAll(block)].map(({ index, groups }) => ({
    prepared: groups?.prepared,
    typed: groups?.typed ?? "",
    printed: groups?.printed ?? "",
    line: page.slice(0, index).split("\n").length,
  }));
  if (blocks.length !== page.split(/^```console$/m).length - 1) {
    throw new Error(
      "A block that is fenced as console begins with: $ npx cometchat-functions … --local, or --help",
    );
  }
  return blocks;
}

/** Rewrites a page with what its commands print; keeps blocks with equivalent output. */
export function fillCommandBlocks(page: string, printed: readonly string[]): string {
  const left = [...printed];
  return page.replaceAll(block, (whole: string, ...rest: unknown[]) => {
    const groups = rest.at(-1);
    const before =
      typeof groups === "object" && groups !== null && "printed" in groups ? String(groups.printed) : "";
    const now = left.shift() ?? before;
    return isSameOutput(before, now) ? whole : `${whole.slice(0, -before.length - 3)}${now}\`\`\``;
  });
}

/** Returns whether two outputs are equal except for times, ids, ports, durations, and column widths. */
export function isSameOutput(one: string, other: string): boolean {
  return withoutChance(one) === withoutChance(other);
}

const chances: readonly (readonly [RegExp, string])[] = [
  // The progress of long work.
  [/^looked at \d.*$/gm, "looked at SOME"],
  [/\b(127\.0\.0\.1|localhost):\d+/g, "$1:PORT"],
  [/\bpid \d+/g, "pid PID"],
  [/\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?Z?/g, "TIME"],
  [/\b\d{1,2}:\d\d(:\d\d(\.\d+)?)?Z?\b/g, "TIME"],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, "ID"],
  [/\b(?=[\da-f]*\d)[\da-f]{10,}\b/gi, "ID"],
  [/\b\d+(\.\d+)? ?(ms|s|seconds?|min|minutes?|h|hours?|d|days?)\b/g, "SPAN"],
  // Columns are as wide as their widest value.
  [/-{2,}/g, "--"],
  [/─+/g, "─"],
  [/[ \t]+$/gm, ""],
  [/(\S) {2,}/g, "$1  "],
];

function withoutChance(text: string) {
  return chances.reduce((known, [pattern, replacement]) => known.replaceAll(pattern, replacement), text);
}
