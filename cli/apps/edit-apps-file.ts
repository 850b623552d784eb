import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import timers from "node:timers/promises";
import { type Document, isScalar, isSeq, parseDocument } from "yaml";
import { sha256Hex } from "../../lib/base/digest.ts";
import { CliError } from "../cli-error.ts";

export type ChangeApps = (listed: readonly string[]) => readonly string[];

/**
 * Changes a stage's list atomically, one process at a time. Returns whether anything changed. May be
 * repeated.
 * @throws CliError if the file's form cannot be edited, or another process edits it
 */
export async function editAppsFile(file: string, stage: string, change: ChangeApps): Promise<boolean> {
  return editFile(
    file,
    (text) => editApps(text, stage, change),
    (text, cause) => notEdited("cannot be written", stage, change(appsIn(parseDocument(text), stage)), cause),
  );
}

/**
 * Replaces a file's text atomically, one process at a time. Returns whether anything changed.
 * @param notWritten makes the error for a failed write
 * @throws CliError if another process edits it
 */
export async function editFile(
  file: string,
  edit: (text: string) => string,
  notWritten: (text: string, cause: unknown) => unknown = (_, cause) => cause,
): Promise<boolean> {
  await using _alone = await lock(join(tmpdir(), `cometchat-functions-${sha256Hex(resolve(file))}.lock`));
  const text = await readFile(file, "utf8");
  const edited = edit(text);
  if (edited === text) return false;
  try {
    await writeFile(`${file}.new`, edited);
    await rename(`${file}.new`, file);
  } catch (cause) {
    throw notWritten(text, cause);
  }
  return true;
}

/**
 * Keeps the file's comments.
 * @throws CliError if the list cannot be edited alone, such as one that another stage refers to
 */
export function editApps(text: string, stage: string, change: ChangeApps): string {
  const document = parseDocument(text);
  const before = contentOf(document);
  const listed = appsIn(document, stage);
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
  const wanted = { ...before, [stage]: appIds };
  if (JSON.stringify(sorted(contentOf(document))) !== JSON.stringify(sorted(wanted))) {
    throw notEdited("has a form that commands cannot edit", stage, appIds);
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, nullStr: "" });
}

function notEdited(why: string, stage: string, appIds: readonly string[], cause?: unknown): CliError {
  return new CliError(
    "refused",
    "APPS_FILE_NOT_EDITED",
    `config/apps.yml ${why}. Nothing was changed in it.`,
    `Edit the file: the stage ${stage} must list ${appIds.join(", ") || "no app"}, and run the command again.`,
    cause,
  );
}

type Content = Readonly<Record<string, readonly string[]>>;

function contentOf(document: Document): Content {
  const lists = Object.entries(Object(document.toJS())).map(([stage, appIds]) => [
    stage,
    Array.isArray(appIds) ? appIds.map(String) : [],
  ]);
  return Object.fromEntries(lists);
}

function appsIn(document: Document, stage: string): readonly string[] {
  return contentOf(document)[stage] ?? [];
}

function sorted(content: Content) {
  return Object.entries(content).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Editing takes milliseconds: an older lock's owner has died. */
const lockLivesMs = 5_000;

/** Across processes: making a folder succeeds only once. */
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
      throw new CliError(
        "refused",
        "APPS_FILE_LOCKED",
        "Another process is editing the file in config/. Nothing was changed in it.",
        "Run the command again.",
      );
    } else await timers.setTimeout(10);
  }
}
