import { AwsCallError } from "../aws/aws-call.ts";
import { causesOf } from "../base/causes.ts";
import { GuardKeyError } from "../events/marks/guard-keys.ts";
import type { Effect } from "./effect.ts";
import {
  EffectBusyError,
  EffectNotBegunError,
  EffectNotClearError,
  EventEndedError,
} from "./effect-errors.ts";
import type { Perform } from "./perform.ts";

/**
 * Of two concurrent effects of one name, the second waits for the first's result.
 * @param letGo waits until all pending work has continued
 * @param noteUndone called once per name used again after it was done, usually in a loop; and for an effect
 * or request begun after the run ended: it was not awaited
 */
export function watchEffects(
  perform: Perform,
  letGo: () => Promise<void>,
  noteUndone: (name: string, why: "repeated" | "late") => void = () => {},
) {
  const { follow, waitForAll } = createFollower(letGo);
  const byName = new Map<string, Promise<unknown>>();
  const open = new Map<string, unknown>();
  const done = new Set<string>();
  const noted = new Set<string>();
  const noteOnce = (name: string, why: "repeated" | "late") => {
    if (!noted.has(name)) noteUndone(name, why);
    noted.add(name);
  };
  let isLeft = false;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;

  const act = async <T>(name: string, effect: Effect<T>, earlier?: Promise<unknown>): Promise<T> => {
    try {
      if (earlier !== undefined) await earlier;
      if (done.has(name)) noteOnce(name, "repeated");
      const result = await perform(name, effect);
      open.delete(name);
      done.add(name);
      return result;
    } catch (error) {
      if (isOpen(error)) open.set(name, error);
      else open.delete(name);
      if (isLeft) failure ??= { error };
      throw error;
    }
  };

  const inTime = <T>(name: string, begin: () => Promise<T>): Promise<T> => {
    if (!isOver) return begin();
    noteOnce(name, "late");
    const late = Promise.reject<T>(new EventEndedError());
    // Not awaited: it would end the process, and interrupt other events.
    late.catch(() => undefined);
    return late;
  };
  const runAll = async (handler: () => Promise<void>): Promise<void> => {
    try {
      await handler();
    } catch (error) {
      await waitForAll();
      throw error;
    }
    isLeft = true;
    await waitForAll();
    if (failure !== undefined) throw failure.error;
    for (const error of open.values()) throw error;
  };

  return {
    perform: <T>(name: string, effect: Effect<T>): Promise<T> =>
      inTime(name, () => {
        const begun = follow(act(name, effect, byName.get(name)));
        byName.set(name, begun);
        const forget = () => void (byName.get(name) === begun && byName.delete(name));
        begun.then(forget, forget);
        return begun;
      }),
    /** A request of the client. */
    send: <T>(name: string, begin: () => Promise<T>): Promise<T> => inTime(name, () => follow(begin())),
    done: (): readonly string[] => [...done],
    follow,
    /**
     * @throws what the handler throws, the error of an effect not awaited, or of one neither done nor
     * refused, even if caught: the event would be lost
     */
    run: (handler: () => Promise<void>): Promise<void> =>
      runAll(handler).finally(() => {
        isOver = true;
      }),
  };
}

function createFollower(letGo: () => Promise<void>) {
  const running = new Set<Promise<unknown>>();
  const follow = <T>(begun: Promise<T>): Promise<T> => {
    running.add(begun);
    const forget = () => void running.delete(begun);
    begun.then(forget, forget);
    return begun;
  };
  const waitForAll = async (): Promise<void> => {
    while (running.size > 0) {
      await Promise.allSettled(running);
      await letGo();
    }
  };
  return { follow, waitForAll };
}

function isOpen(error: unknown): boolean {
  return causesOf(error).some(
    (one) =>
      one instanceof EffectBusyError ||
      one instanceof EffectNotBegunError ||
      one instanceof EffectNotClearError ||
      one instanceof EventEndedError ||
      one instanceof GuardKeyError ||
      (one instanceof AwsCallError && one.service === "dynamodb"),
  );
}
