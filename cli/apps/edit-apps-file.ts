import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import timers from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Document, isScalar, isSeq, parseDocument } from "yaml";
import { sha256Hex } from "../../lib/base/digest.ts";
import { CliError, refused } from "../cli-error.ts";

type ChangeApps = (listed: readonly string[]) => readonly string[];

/** Returns whether anything changed. May be repeated. @throws CliError if the file cannot be edited */
export async function editAppsFile(file: string, stage: string, change: ChangeApps): Promise<boolean> {
  let wanted: readonly string[] = [];
  const noteWanted: ChangeApps = (listed) => {
    wanted = change(listed);
    return wanted;
  };
  try {
    return await editFile(file, (text) => editApps(text, stage, noteWanted));
  } catch (error) {
    throw error instanceof CliError ? error : notEdited("cannot be written", stage, wanted, error);
  }
}

/** Edits atomically. Returns whether anything changed. @throws CliError if another process edits it */
export async function editFile(file: string, edit: (text: string) => string): Promise<boolean> {
  await using _alone = await lock(join(tmpdir(), `cometchat-functions-${sha256Hex(resolve(file))}.lock`));
  const text = await readFile(file, "utf8");
  const edited = edit(text);
  if (edited === text) return false;
  await writeFile(`${file}.new`, edited);
  await rename(`${file}.new`, file);
  return true;
}

/** Keeps comments. @throws CliError if the list cannot be edited, such as one that another stage shares */
export function editApps(text: string, stage: string, change: ChangeApps): string {
  const document = parseDocument(text);
  const before = contentOf(document);
  const listed = before[stage] ?? [];
  const appIds = change(listed);
  if (appIds.join() === listed.join()) return text;
  const present = document.get(stage, true);
  if (isSeq(present) && appIds.length > 0) {
    present.items = present.items.filter((item) => isScalar(item) && appIds.includes(String(item.value)));
    for (const appId of appIds) if (!listed.includes(appId)) present.add(appId);
  } else {
    const list = document.createNode(appIds.length === 0 ? null : appIds);
    if (isScalar(present)) list.commentBefore = present.comment ?? null;
    document.set(stage, list);
  }
  if (isDeepStrictEqual(contentOf(document), { ...before, [stage]: appIds })) {
    return document.toString({ lineWidth: 0, flowCollectionPadding: false, nullStr: "" });
  }
  throw notEdited("has a form that commands cannot edit", stage, appIds);
}

function notEdited(why: string, stage: string, appIds: readonly string[], cause?: unknown) {
  return refused(
    "APPS_FILE_NOT_EDITED",
    `config/apps.yml ${why}. Nothing was changed in it.`,
    `Edit the file: the stage ${stage} must list ${appIds.join(", ") || "no app"}, and run the command again.`,
    cause,
  );
}

function contentOf(document: Document) {
  const lists = Object.entries(Object(document.toJS())).map(([stage, appIds]) => [
    stage,
    Array.isArray(appIds) ? appIds.map(String) : [],
  ]);
  return Object.fromEntries(lists);
}

/** Editing takes milliseconds: an older lock's owner has died. */
const lockLivesMs = 5_000;

/** Locks across processes: making a folder succeeds only once. */
async function lock(folder: string): Promise<AsyncDisposable> {
  const remove = () => rm(folder, { recursive: true, force: true });
  const giveUpAt = Date.now() + 2 * lockLivesMs;
  while (!(await isMade(folder))) {
    const madeAt = (await stat(folder).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - madeAt > lockLivesMs) await remove();
    else if (Date.now() < giveUpAt) await timers.setTimeout(10);
    else {
      throw refused(
        "APPS_FILE_LOCKED",
        "Another process is editing the file in config/. Nothing was changed in it.",
        "Run the command again.",
      );
    }
  }
  return { [Symbol.asyncDispose]: remove };
}

async function isMade(folder: string) {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
