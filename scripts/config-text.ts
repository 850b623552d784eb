import { type Document, LineCounter, parseDocument } from "yaml";

/** A YAML file of config/, parsed. */
export interface ConfigText {
  /** From the project's folder: `config/stages/prod/replies.yml`. */
  readonly file: string;
  readonly document: Document;
  readonly lines: LineCounter;
  /** Null for an empty file. */
  readonly content: unknown;
}

/** Thrown for a file of config/ that cannot be taken; the message has a line for each mistake, with its place. */
export class ConfigFileError extends Error {
  override readonly name = "ConfigFileError";
}

/**
 * Parses the text of a file of config/.
 * @throws ConfigFileError for what is no YAML
 */
export function readConfigText(file: string, text: string): ConfigText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const unreadable = [...document.errors, ...document.warnings].map(
    ({ message, pos }) =>
      `${placeIn({ file, lines }, pos[0])}: ${message.replace(/; please use YAML\..*$/, "")}`,
  );
  if (unreadable.length > 0) throw new ConfigFileError(unreadable.join("\n"));
  try {
    return { file, document, lines, content: document.toJS() };
  } catch (error) {
    // Aliases are resolved last, and without a place.
    throw new ConfigFileError(`${file}:1:1: ${error instanceof Error ? error.message : "is no YAML"}`);
  }
}

/** Writes the place of a character as editors and terminals understand it: `config/replies.yml:3:5`. */
export function placeIn({ file, lines }: Pick<ConfigText, "file" | "lines">, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}
