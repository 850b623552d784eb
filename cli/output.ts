import { styleText } from "node:util";
import { hideSecrets } from "../lib/base/known-secrets.ts";
import type { TextSink } from "./edges.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

export type Output = ReturnType<typeof createOutput>;

interface OutputOptions {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly isJson: boolean;
  /** @see https://no-color.org */
  readonly hasColours: boolean;
  readonly now: () => number;
  /** Adds the target to suggested commands. */
  readonly nameTarget?: (text: string) => string;
}

const progressEveryMs = 5_000;

/** Replaces secrets that the process has read, and terminal control characters. */
export function createOutput({
  stdout,
  stderr,
  isJson,
  hasColours,
  now,
  nameTarget = (text) => text,
}: OutputOptions) {
  let isProgressShown = false;
  let progressAt = Number.NEGATIVE_INFINITY;
  const clearProgress = () => {
    if (isProgressShown) stderr.write("\r\u001b[2K");
    isProgressShown = false;
  };
  return {
    isForReading: !isJson,
    /** On standard output; nothing with `--json`. */
    line: (text = "") => {
      if (isJson) return;
      clearProgress();
      stdout.write(`${harmless(hideSecrets(nameTarget(text)))}\n`);
    },
    /** On standard output; nothing without `--json`. */
    json: (value: unknown) => {
      if (!isJson) return;
      clearProgress();
      stdout.write(`${escapeControls(hideSecrets(JSON.stringify(value)))}\n`);
    },
    /** On standard error. */
    note: (text: string) => {
      clearProgress();
      stderr.write(`${harmless(hideSecrets(nameTarget(text)))}\n`);
    },
    /** On standard error: overwrites on a terminal, else writes a line now and then. */
    progress: (text: string) => {
      const clean = harmless(hideSecrets(text));
      if (stderr.isTerminal) {
        clearProgress();
        stderr.write(clean);
        isProgressShown = true;
        return;
      }
      if (now() - progressAt < progressEveryMs) return;
      progressAt = now();
      stderr.write(`${clean}\n`);
    },
    style: (style: Style, text: string) => {
      const plain = harmless(text).replaceAll(colour, "\ufffd");
      return hasColours && !isJson ? styleText(style, plain, { validateStream: false }) : plain;
    },
  };
}

function harmless(text: string) {
  return text.replaceAll(codes, (found) => (found.length > 1 ? found : "\ufffd"));
}

// The styles above, or any control character but tab and line end: others hide text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const codes = /\u001b\[[123][12369]?m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colour = /\u001b\[\d+m/g;

/** JSON does not escape all control characters. */
function escapeControls(json: string) {
  return json.replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Title, cell or its field, and side or longest text (default: 60 characters). */
export type Column<Row> = readonly [
  title: string,
  cell: keyof Row | ((row: Row) => string | number),
  form?: "right" | number,
];

export function printTable<Row>(
  out: Pick<Output, "line">,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  indent = "",
): void {
  const shown = columns.map(([title, cell, form]) => {
    const most = typeof form === "number" ? form : 60;
    const texts = rows.map((row) => String(typeof cell === "function" ? cell(row) : row[cell]));
    const cells = [title, ...texts.map((text) => cut(text.replaceAll(/\s+/g, " "), most))];
    const width = Math.max(...cells.map((text) => [...text].length));
    return cells.map((text) => {
      const blanks = " ".repeat(width - [...text].length);
      return form === "right" ? blanks + text : text + blanks;
    });
  });
  for (const index of [undefined, ...rows].keys()) {
    out.line(
      indent +
        shown
          .map((cells) => cells[index])
          .join("  ")
          .trimEnd(),
    );
  }
}

function cut(text: string, most: number) {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

export function shownTime(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}
