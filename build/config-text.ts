import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import { isRecord } from "../lib/base/json.ts";

export interface ConfigText {
  readonly file: string;
  readonly document: Document;
  readonly lines: LineCounter;
  readonly content: unknown;
}

/** The base, then its overrides. */
export type ConfigTexts = readonly [ConfigText, ...ConfigText[]];

export class ConfigFileError extends Error {
  override readonly name = "ConfigFileError";
}

export function noteMistakes(mistakes: string[], error: unknown): undefined {
  if (!(error instanceof ConfigFileError)) throw error;
  mistakes.push(...error.message.split("\n"));
}

/** @throws ConfigFileError if there are any */
export function refuseMistakes(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new ConfigFileError(mistakes.join("\n"));
}

/** @throws ConfigFileError if it is not valid YAML */
export function readConfigText(file: string, text: string): ConfigText {
  const { mistakes, ...read } = readYaml(file, text);
  refuseMistakes(mistakes);
  return read;
}

/** @param options `tags`: accepts the tags of CloudFormation, such as `!Ref` */
export function readYaml(file: string, text: string, { tags = false } = {}) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  const read = { file, document, lines };
  const mistakes = [...document.errors, ...(tags ? [] : document.warnings)].map(({ code, message, pos }) => {
    // After an entry without a value, the library names that entry's end.
    const [, blank = "", key] =
      (code === "DUPLICATE_KEY" && /(\s*)([^:\n]+)/y.exec(text.slice(pos[0]))) || [];
    const said = key === undefined ? message.replace(/; please use YAML\..*$/, "") : `${key} is here twice`;
    return `${placeIn({ file, lines }, pos[0] + blank.length)}: ${said}`;
  });
  try {
    if (mistakes.length === 0) return { ...read, content: document.toJS(), mistakes };
  } catch (error) {
    // YAML resolves aliases last, without a place.
    mistakes.push(`${file}:1:1: ${error instanceof Error ? error.message : error}`);
  }
  return { ...read, content: null, mistakes };
}

/** Returns `config/replies.yml:3:5`. */
function placeIn({ file, lines }: Pick<ConfigText, "file" | "lines">, offset: number) {
  const { line, col } = lines.linePos(offset);
  return `${file}:${line}:${col}`;
}

export type Path = readonly PropertyKey[];

/** Returns a missing key's parent. */
export function placeOf(text: ConfigText, path: Path): string {
  return placeIn(text, offsetOf(text, path));
}

export function offsetOf(text: ConfigText, path: Path): number {
  if (path.length === 0) return 0;
  const parent = nodeAt(text, path.slice(0, -1));
  const pair = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1))
    : undefined;
  const node = pair?.key ?? nodeAt(text, path);
  return isNode(node) && node.range ? node.range[0] : offsetOf(text, path.slice(0, -1));
}

function nodeAt({ document }: ConfigText, path: Path): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

/** Returns the last with the path's first key, else the first. */
export function textAt([key]: Path, texts: ConfigTexts): ConfigText {
  const hasKey = ({ content }: ConfigText) =>
    key !== undefined && isRecord(content) && Object.hasOwn(content, key);
  return texts.findLast(hasKey) ?? texts[0];
}
