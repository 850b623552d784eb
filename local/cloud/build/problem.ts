import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Problem } from "./bundling.ts";

const placed = /^(?<file>[^\s:][^:\n]*):(?<line>\d+):(?<column>\d+): (?<text>.*)$/;
const thrownPlace = /^(?<url>file:\/\/[^\s?]+)(?:\?\S*?)?:(?<line>\d+)$/m;
const framePlace = /(?<url>file:\/\/[^\s?)]+)(?:\?[^\s:)]*)?:(?<line>\d+):(?<column>\d+)\)?$/m;

/** Reads lines such as `config/replies.yml:3:5: …`, or an error's stack. */
export function readProblems(text: string, serviceFolder: string): Problem[] {
  const lines = text.split("\n");
  const placedLines = lines.flatMap((line): Problem[] => {
    const { file, line: row, column, text: message = "" } = placed.exec(line)?.groups ?? {};
    if (file === undefined || !existsSync(join(serviceFolder, file))) return [];
    return [showSource({ file, line: Number(row), column: Number(column), text: message }, serviceFolder)];
  });
  if (placedLines.length > 0) return placedLines;
  const { url, line, column } = (thrownPlace.exec(text) ?? framePlace.exec(text))?.groups ?? {};
  if (url === undefined) return [{ text }];
  const file = relative(serviceFolder, fileURLToPath(url)).replaceAll(sep, "/");
  const message = lines.find((one) => /^\w*Error\b/.test(one)) ?? text;
  return [
    showSource(
      { file, line: Number(line), column: column === undefined ? undefined : Number(column), text: message },
      serviceFolder,
    ),
  ];
}

export function showSource(problem: Problem, serviceFolder: string): Problem {
  const { file, line } = problem;
  if (file === undefined || line === undefined) return problem;
  try {
    const path = isAbsolute(file) ? file : join(serviceFolder, file);
    const lineText = readFileSync(path, "utf8").split(/\r?\n/)[line - 1];
    return lineText === undefined ? problem : { ...problem, lineText };
  } catch {
    return problem;
  }
}

export function writeProblem({ file, line, column, text, lineText }: Problem): string {
  const place =
    file === undefined ? "" : `${[file, line, column].filter((part) => part !== undefined).join(":")}: `;
  const source =
    lineText === undefined
      ? ""
      : `\n    ${lineText}${column === undefined ? "" : `\n    ${" ".repeat(column - 1)}^`}`;
  return `${place}${text}${source}`;
}
