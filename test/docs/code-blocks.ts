/** A fenced block of a page. */
export interface CodeBlock {
  /** The first word behind the fence, such as `ts`. */
  readonly kind: string;
  /** Whether `fragment` follows that word: a part of a file, which is not compiled. */
  readonly isFragment: boolean;
  /** The path in the first line, as `// functions/own/refund.ts` or `# config/users.yml`. */
  readonly file: string | undefined;
  readonly text: string;
  readonly line: number;
}

/** Reads the fenced blocks of a page, those in lists included. */
export function codeBlocksOf(page: string): readonly CodeBlock[] {
  return [...page.matchAll(/^( *)```(\w*)([^\n]*)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const [, indent = "", kind = "", info = "", code = ""] = match;
    const text = code.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    return {
      kind,
      isFragment: info.trim() === "fragment",
      file: /^(?:\/\/|#) ([\w-]+\/\S+)\n/.exec(text)?.[1],
      text,
      line: page.slice(0, match.index).split("\n").length,
    };
  });
}
