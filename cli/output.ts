import { styleText } from "node:util";
import { hideSecrets } from "../lib/base/known-secrets.ts";
import type { TextSink } from "./edges.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

/** What a command says. Secrets that the process has read, and what would steer a terminal, are replaced in all of it. */
export interface Output {
  /** A line of the answer, on standard output; nothing with `--json`. */
  line(text?: string): void;
  /** The answer as JSON, on standard output; nothing without `--json`. */
  json(value: unknown): void;
  /** A line beside the answer, on standard error. */
  note(text: string): void;
  /** How far long work is, on standard error: written over by the next one on a terminal, else a line now and then. */
  progress(text: string): void;
  /** Colours a text for `line`, where there is a terminal. */
  style(style: Style, text: string): string;
  /** Whether `line` says something. */
  readonly isForReading: boolean;
}

export interface OutputOptions {
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly isJson: boolean;
  readonly now: () => number;
  /** Completes the commands that lines and notes advise. */
  readonly nameTarget?: (text: string) => string;
}

/** How often a line of progress is written where nothing can be written over, in milliseconds. */
const progressEveryMs = 5_000;

export function createOutput({
  stdout,
  stderr,
  isJson,
  now,
  nameTarget = (text) => text,
}: OutputOptions): Output {
  let isProgressShown = false;
  let progressAt = Number.NEGATIVE_INFINITY;
  const clearProgress = () => {
    if (isProgressShown) stderr.write("\r\u001b[2K");
    isProgressShown = false;
  };
  return {
    isForReading: !isJson,
    line: (text = "") => {
      if (isJson) return;
      clearProgress();
      stdout.write(`${harmless(hideSecrets(nameTarget(text)))}\n`);
    },
    json: (value) => {
      if (!isJson) return;
      clearProgress();
      stdout.write(`${escapeControls(hideSecrets(JSON.stringify(value)))}\n`);
    },
    note: (text) => {
      clearProgress();
      stderr.write(`${harmless(hideSecrets(nameTarget(text)))}\n`);
    },
    progress: (text) => {
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
    style: (style, text) => {
      const plain = harmless(text).replaceAll(colour, "\ufffd");
      return stdout.isTerminal && !isJson ? styleText(style, plain, { validateStream: false }) : plain;
    },
  };
}

/** Takes out what steers a terminal, but for the colours of `style`: names and causes come from strangers. */
function harmless(text: string): string {
  return text.replaceAll(codes, (found) => (found.length > 1 ? found : "\ufffd"));
}

// The escape sequences of the styles above, or any other control character but a tab and a line's end. Others hide text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const codes = /\u001b\[[123][12369]?m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colour = /\u001b\[\d+m/g;

/** JSON leaves some control characters as they are. */
function escapeControls(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
