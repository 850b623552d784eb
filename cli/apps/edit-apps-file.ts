import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import timers from "node:timers/promises";
import { isMap, isScalar, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { sha256Hex } from "../../lib/base/digest.ts";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";

/** Adds an app to a stage of config/apps.yml and leaves every other byte unchanged. */
export function withApp(text: string, stage: string, appId: string): string {
  const written = scalarOf(appId);
  const { key, list, isStageThere } = find(text, stage);
  if (!isStageThere) {
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    return `${text}${gap}${scalarOf(stage)}:\n  - ${written}\n`;
  }
  if (list?.flow === true) {
    const end = (list.range?.[1] ?? 0) - 1; // its closing bracket
    const before = text.slice(0, end).trimEnd();
    const comma = list.items.length === 0 ? "" : before.endsWith(",") ? " " : ", ";
    return `${before}${comma}${written}${text.slice(end)}`;
  }
  const last = list?.items.at(-1);
  if (last === undefined) {
    // After the colon and its value: nothing, null or a comment.
    const start = key + (text.slice(key).match(/^[^\n]*?:/)?.[0].length ?? 0);
    const lineEnd = endOfLine(text, start);
    const rest = text.slice(start, lineEnd).replace(/^(\s*)(null|~)(?=\s|$)/, "");
    const kept = text.slice(0, start) + rest;
    return `${kept}${kept.endsWith("\n") ? "" : "\n"}  - ${written}\n${text.slice(lineEnd)}`;
  }
  const at = offsetOf(last);
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const indent = text.slice(lineStart).match(/^\s*/)?.[0] ?? "";
  const lineEnd = endOfLine(text, at);
  const line = text.slice(0, lineEnd);
  return `${line}${line.endsWith("\n") ? "" : "\n"}${indent}- ${written}\n${text.slice(lineEnd)}`;
}

/** Removes an app from a stage of config/apps.yml and leaves every other byte unchanged. */
export function withoutApp(text: string, stage: string, appId: string): string {
  const { list } = find(text, stage);
  const index = list?.items.findIndex((item) => isScalar(item) && String(item.value) === appId) ?? -1;
  const item = list?.items[index];
  if (list === undefined || item === undefined) return text;
  const at = offsetOf(item);
  if (list.flow === true) {
    const next = list.items[index + 1];
    const previous = list.items[index - 1];
    if (next !== undefined) return text.slice(0, at) + text.slice(offsetOf(next));
    const from = previous === undefined ? at : endOf(previous);
    return text.slice(0, from) + text.slice(endOf(item));
  }
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  return text.slice(0, lineStart) + text.slice(endOfLine(text, at));
}

/**
 * Changes a stage's list in config/apps.yml atomically, one process at a time, and only if the result parses
 * to the intended list. Returns whether anything changed. May be repeated.
 * @param change.to Returns the new list of ids, given the current one
 * @param change.edit Returns the file's new text, given the old one
 * @throws CliError if the file's form cannot be edited, or another process edits it
 */
export async function editAppsFile(file: string, change: AppsChange): Promise<boolean> {
  const { stage, to, edit } = change;
  await using _alone = await lock(join(tmpdir(), `cometchat-functions-${sha256Hex(resolve(file))}.lock`));
  const text = await readFile(file, "utf8");
  const before = contentOf(text);
  const listed = listIn(before, stage);
  const appIds = to(listed);
  if (appIds.join() === listed.join()) return false;
  const edited = edit(text);
  if (JSON.stringify(sorted(contentOf(edited))) !== JSON.stringify(sorted({ ...before, [stage]: appIds }))) {
    throw notEdited("has a form that commands cannot edit", stage, appIds);
  }
  try {
    await writeFile(`${file}.new`, edited);
    await rename(`${file}.new`, file);
  } catch (cause) {
    throw notEdited("cannot be written", stage, appIds, cause);
  }
  return true;
}

function notEdited(why: string, stage: string, appIds: readonly string[], cause?: unknown): CliError {
  return new CliError(`config/apps.yml ${why}. Nothing was changed in it.`, {
    code: "APPS_FILE_NOT_EDITED",
    exitCode: exitCodes.refused,
    hint: `Edit the file: the stage ${stage} must list ${appIds.join(", ") || "no app"}, and run the command again.`,
    cause,
  });
}

export interface AppsChange {
  readonly stage: string;
  readonly to: (listed: readonly string[]) => readonly string[];
  readonly edit: (text: string) => string;
}

/** Editing takes milliseconds: the owner of an older lock has died. */
const lockLivesMs = 5_000;

/** Locks across processes: making a folder succeeds only once. */
async function lock(folder: string): Promise<AsyncDisposable> {
  const giveUpAt = Date.now() + 2 * lockLivesMs;
  for (;;) {
    const isMine = await mkdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    if (isMine) return { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
    const since = await stat(folder).catch(() => undefined);
    if (since !== undefined && Date.now() - since.mtimeMs > lockLivesMs) {
      await rm(folder, { recursive: true, force: true });
    } else if (Date.now() > giveUpAt) {
      throw new CliError("Another process is editing config/apps.yml. Nothing was changed in it.", {
        code: "APPS_FILE_LOCKED",
        exitCode: exitCodes.refused,
        hint: "Run the command again.",
      });
    } else await timers.setTimeout(10);
  }
}

function listIn(content: Readonly<Record<string, unknown>>, stage: string): readonly string[] {
  const list = content[stage];
  return Array.isArray(list) ? list.map(String) : [];
}

function find(
  text: string,
  stage: string,
): { readonly isStageThere: boolean; readonly key: number; readonly list: YAMLSeq | undefined } {
  const { contents } = parseDocument(text);
  const pair = isMap(contents) ? pairOf(contents, stage) : undefined;
  const list = isSeq(pair?.value) ? pair.value : undefined;
  return { isStageThere: pair !== undefined, key: pair === undefined ? 0 : offsetOf(pair.key), list };
}

function pairOf(map: YAMLMap, stage: string) {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === stage);
}

function offsetOf(node: unknown): number {
  return isScalar(node) || isMap(node) || isSeq(node) ? (node.range?.[0] ?? 0) : 0;
}

function endOf(node: unknown): number {
  return isScalar(node) ? (node.range?.[1] ?? 0) : 0;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

/** Adds quotes if YAML would not read the value as a string. */
function scalarOf(value: string): string {
  return parseDocument(value).toJS() === value ? value : JSON.stringify(value);
}

function contentOf(text: string): Readonly<Record<string, unknown>> {
  const content: unknown = parseDocument(text).toJS();
  return Object.fromEntries(Object.entries(Object(content)).map(([stage, appIds]) => [stage, appIds ?? []]));
}

function sorted(content: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(content).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
