import type * as z from "zod/mini";
import { $ZodObject } from "zod/v4/core";
import english from "zod/v4/locales/en.js";
import { isRecord } from "../lib/base/json.ts";
import { readConfigLayers, textsOf } from "./config-layers.ts";
import { ConfigFileError, type ConfigTexts, offsetOf, type Path, placeOf, textAt } from "./config-text.ts";
import { hintAt } from "./nearest-name.ts";

/** Later texts replace first-level keys. @throws ConfigFileError with the place of each mistake */
export function parseBy<T>(schema: z.ZodMiniType<T>, texts: ConfigTexts): T {
  const [base, ...others] = texts;
  for (const { file, content } of others) {
    if (content === null || isRecord(content)) continue;
    throw new ConfigFileError(`${file}:1:1: (the file): expected keys with values`);
  }
  const contents = texts.map(({ content }) => content).filter(isRecord);
  const isWhole = (base.content === null && others.length > 0) || isRecord(base.content);
  // Treats `__proto__` as any key, unlike Object.assign.
  const content: unknown = isWhole ? Object.fromEntries(contents.flatMap(Object.entries)) : base.content;
  const result = schema.safeParse(content, { error: toMessage, reportInput: true });
  if (result.success) return result.data;
  if (content === null)
    throw new ConfigFileError(`${base.file}:1:1: (the file): is empty, or has only comments`);
  const lines = result.error.issues
    .flatMap((issue) => mistakesOf(issue))
    .filter(isNotOfUnknownKey)
    .map(({ path, message, input }) => {
      const text = textAt(path, texts);
      const line = `${placeOf(text, path)}: ${inOneLine(path) || "(the file)"}: ${message}${message.endsWith(".") ? "" : gotOf(input)}`;
      return { line, file: texts.indexOf(text), offset: offsetOf(text, path) };
    })
    .toSorted((one, other) => one.file - other.file || one.offset - other.offset)
    .map(({ line }) => line);
  throw new ConfigFileError(lines.join("\n"));
}

/** Parses a file of config/ for a stage and an app. @throws ConfigFileError */
export async function readBy<T>(
  schema: z.ZodMiniType<T>,
  projectFolder: string,
  name: string,
  stage: string | undefined,
  appId?: string,
): Promise<T> {
  return parseBy(schema, textsOf(await readConfigLayers(projectFolder, name, stage), appId));
}

const zodMessage = english().localeError;

const toMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "unrecognized_keys" && issue.inst instanceof $ZodObject) {
    const known = Object.keys(issue.inst._zod.def.shape);
    return issue.keys.map((key) => `there is no such key${hintAt(key, known)}`).join("\n");
  }
  const message = String(zodMessage(issue)).replace(/^Invalid (?:input|option): /, "");
  const isNumber =
    issue.code === "invalid_type" && issue.expected === "string" && typeof issue.input === "number";
  return isNumber ? `${message}; put it in quotes` : message;
};

interface Mistake {
  readonly path: Path;
  readonly message: string;
  readonly input?: unknown;
  readonly code: z.core.$ZodIssue["code"];
}

/** A whole object's check may fail because a key is misspelt. */
function isNotOfUnknownKey({ path, code }: Mistake, _index: number, all: readonly Mistake[]) {
  const place = inOneLine(path);
  return (
    code !== "custom" ||
    !all.some((other) => other.code === "unrecognized_keys" && inOneLine(other.path.slice(0, -1)) === place)
  );
}

function mistakesOf(issue: z.core.$ZodIssue, within: Path = []): readonly Mistake[] {
  const { code, message } = issue;
  const path = [...within, ...issue.path];
  if (code === "unrecognized_keys") {
    const messages = message.split("\n");
    return issue.keys.map((key, index) => ({ path: [...path, key], message: messages[index] ?? "", code }));
  }
  if (code !== "invalid_union" || issue.errors.length === 0)
    return [{ path, message, code, input: code === "invalid_type" ? undefined : issue.input }];
  const alternatives = issue.errors.map((issues) => issues.flatMap((inner) => mistakesOf(inner, path)));
  const isOtherType = (mistake: Mistake) =>
    mistake.path.length === path.length && typeCodes.has(mistake.code);
  const unknownKeys = (mistakes: readonly Mistake[]) =>
    mistakes.filter((mistake) => mistake.code === "unrecognized_keys").length;
  const [meant] = alternatives
    .filter((mistakes) => !mistakes.some(isOtherType))
    .toSorted((one, other) => unknownKeys(one) - unknownKeys(other) || one.length - other.length);
  if (meant !== undefined) return meant;
  const messages = new Set(alternatives.flat().map((mistake) => mistake.message));
  return [{ path, message: [...messages].join(" or "), code, input: issue.input }];
}

function gotOf(input: unknown) {
  if (!["string", "number", "boolean"].includes(typeof input)) return "";
  const text = JSON.stringify(input);
  return `, got ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}

const typeCodes: ReadonlySet<string> = new Set(["invalid_type", "invalid_value", "invalid_union"]);

function inOneLine(path: Path) {
  return path.map((key) => JSON.stringify(String(key)).slice(1, -1)).join(".");
}
