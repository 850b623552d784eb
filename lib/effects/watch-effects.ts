import { AwsCallError } from "../aws/aws-call.ts";
import { causesOf } from "../base/errors.ts";
import { GuardKeyError } from "../events/marks/loop-guard.ts";
import type { Effect } from "./effect.ts";
import {
  EffectNotBegunError,
  EventEndedError,
  noteFailedEffect,
  PendingEffectError,
} from "./effect-errors.ts";
import { beginWait, endWait, type WaitsFor } from "./health/destinations.ts";
import type { AttachmentsOptions } from "./http/attachments.ts";
import type { Perform } from "./perform.ts";

type NoteUndone = (name: string, why: "repeated" | "late") => void;

/** Of two concurrent effects of one name, the second waits for the first, and gets its result. */
export function watchEffects(pending: PendingWork, perform: Perform) {
  const { begin, follow, waitForAll, end, noteOnce } = pending;
  const byName = new Map<string, Promise<unknown>>();
  const open = new Map<string, unknown>();
  const done = new Set<string>();
  let isLeft = false;
  let failure: { readonly error: unknown } | undefined;

  const performInTurn = async <T>(name: string, effect: Effect<T>, caller: Error): Promise<T> => {
    const earlier = byName.get(name);
    try {
      if (earlier !== undefined) await earlier;
      if (done.has(name)) noteOnce(name, "repeated");
      const result = await perform(name, effect);
      open.delete(name);
      done.add(name);
      return result;
    } catch (error) {
      noteFailedEffect(error, name, caller);
      if (isOpen(error)) open.set(name, error);
      else open.delete(name);
      if (isLeft) failure ??= { error };
      throw error;
    }
  };

  return {
    /** @param caller takes about 10 µs: its stack is written only if it is read */
    perform: <T>(name: string, effect: Effect<T>, caller = new Error()): Promise<T> =>
      begin(name, () => {
        const begun = performInTurn(name, effect, caller);
        byName.set(name, begun);
        const forget = () => void (byName.get(name) === begun && byName.delete(name));
        begun.then(forget, forget);
        return begun;
      }),
    done: (): readonly string[] => [...done],
    follow,
    /**
     * @throws what the handler throws; the error of an effect that is not awaited, or, even if caught, of one
     * neither done nor refused: the event would be lost
     */
    run: async (handler: () => Promise<void>) => {
      try {
        await handler();
        isLeft = true;
      } finally {
        await waitForAll();
        end();
      }
      if (failure !== undefined) throw failure.error;
      for (const error of open.values()) throw error;
    },
  };
}

function oncePerName(note: NoteUndone): NoteUndone {
  const noted = new Set<string>();
  return (name, why) => {
    const what = `${why} ${name}`;
    if (!noted.has(what)) note(name, why);
    noted.add(what);
  };
}

export type PendingWork = ReturnType<typeof createPendingWork>;

/**
 * @param letGo waits until all pending work has continued
 * @param noteUndone called once per name that is used again after it was done, usually in a loop; and for an
 * effect or request begun after the run ended, because it was not awaited
 */
export function createPendingWork(letGo: () => Promise<void>, noteUndone: NoteUndone) {
  const noteOnce = oncePerName(noteUndone);
  const running = new Set<Promise<unknown>>();
  let isOver = false;
  const follow = <T>(begun: Promise<T>): Promise<T> => {
    running.add(begun);
    const forget = () => void running.delete(begun);
    begun.then(forget, forget);
    return begun;
  };
  const begin = <T>(name: string, start: () => Promise<T>): Promise<T> => {
    if (!isOver) return follow(start());
    noteOnce(name, "late");
    const late = Promise.reject<T>(new EventEndedError());
    // Nothing awaits it: it would end the process, and interrupt other events.
    late.catch(() => undefined);
    return late;
  };
  const waitForAll = async () => {
    while (running.size > 0) {
      await Promise.allSettled(running);
      await letGo();
    }
  };
  const end = () => {
    isOver = true;
  };
  return { begin, follow, waitForAll, end, noteOnce };
}

function isOpen(error: unknown) {
  return causesOf(error).some(
    (one) =>
      one instanceof PendingEffectError ||
      one instanceof EffectNotBegunError ||
      one instanceof EventEndedError ||
      one instanceof GuardKeyError ||
      (one instanceof AwsCallError && one.service === "dynamodb"),
  );
}

type FetchFile = NonNullable<AttachmentsOptions["fetch"]>;

/**
 * Makes the attempt wait for `files` while a response or its next part is awaited, and from a failure to the
 * next success.
 */
export function watchFiles(fetchFile: FetchFile, waitsFor: WaitsFor): FetchFile {
  const wait = async <T>(work: () => Promise<T>): Promise<T> => {
    beginWait(waitsFor, "files");
    let isOver = false;
    try {
      const result = await work();
      isOver = true;
      return result;
    } finally {
      endWait(waitsFor, "files", isOver);
    }
  };
  return async (url, init) => {
    const response = await wait(() => fetchFile(url, init));
    const { body, status, headers } = response;
    if (body === null) return response;
    const reader = body.getReader();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await wait(() => reader.read());
      if (done) controller.close();
      else controller.enqueue(value);
    };
    const watched = new ReadableStream(
      { pull, cancel: (reason) => reader.cancel(reason) },
      { highWaterMark: 0 },
    );
    return new Response(watched, { status, headers });
  };
}
