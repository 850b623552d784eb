import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { showSource, writeProblem } from "../build/problem.ts";
import type { FunctionDefinition } from "../lambda/function-definition.ts";
import type { ReloadProblem } from "./reload-state.ts";

const framePlace = /^\s*at (?:(?<name>.*?) \()?(?<url>file:\/\/[^\s)]+):(?<line>\d+):(?<column>\d+)\)?$/;

interface Frame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string | undefined;
}

/**
 * Reads an error of loading; places are relative to `serviceFolder`.
 * @param body the runtime's JSON of `{errorType, errorMessage, trace}`
 */
export function readLoadProblem(
  { key }: FunctionDefinition,
  body: string,
  serviceFolder: string,
): ReloadProblem {
  const report = parseJson(body);
  const { errorType = "Error", errorMessage = "", trace } = isRecord(report) ? report : {};
  const lines = Array.isArray(trace) ? trace.map(String) : [];
  const maps = new Map<string, SourceMap | undefined>();
  const frames = lines.flatMap((line) => readFrame(line, maps, serviceFolder));
  const own = frames.find(({ file }) => !file.startsWith("..") && !file.includes("node_modules/"));
  const message = String(errorMessage);
  const text = message.startsWith(String(errorType)) ? message : `${errorType}: ${message}`;
  return {
    ...showSource({ text, file: own?.file, line: own?.line, column: own?.column }, serviceFolder),
    functionKeys: [key],
    stack: frames.map(
      ({ file, line, column, name }) => `${name === undefined ? "" : `${name} `}${file}:${line}:${column}`,
    ),
  };
}

function readFrame(line: string, maps: Map<string, SourceMap | undefined>, serviceFolder: string): Frame[] {
  const { name, url, line: row, column } = framePlace.exec(line)?.groups ?? {};
  if (url === undefined) return [];
  const bundle = fileURLToPath(url);
  if (!maps.has(bundle)) maps.set(bundle, readMap(`${bundle}.map`));
  const found = maps.get(bundle)?.findEntry(Number(row) - 1, Number(column) - 1);
  if (!isRecord(found) || typeof found.originalSource !== "string") return [];
  const file = relative(serviceFolder, resolve(dirname(bundle), found.originalSource)).replaceAll(sep, "/");
  return [
    {
      file,
      line: Number(found.originalLine) + 1,
      column: Number(found.originalColumn) + 1,
      name: name === undefined || name.length < 3 ? undefined : name,
    },
  ];
}

function readMap(file: string) {
  if (!existsSync(file)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(file, "utf8")));
}

/** Merges equal problems of several functions. */
export function mergeProblems(all: readonly ReloadProblem[]): ReloadProblem[] {
  return [...Map.groupBy(all, writeProblem).values()].flatMap((same) => {
    const [first] = same;
    const functionKeys = same.flatMap(({ functionKeys: keys = [] }) => keys);
    return first === undefined ? [] : [functionKeys.length > 0 ? { ...first, functionKeys } : first];
  });
}

export function writeReloadProblem({ functionKeys, stack = [], ...problem }: ReloadProblem): string {
  const which = functionKeys === undefined ? "" : `Cannot be loaded: ${functionKeys.join(", ")}. `;
  return [`${which}${writeProblem(problem)}`, ...stack.map((frame) => `    at ${frame}`)].join("\n");
}
