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

/** Runs a handler with effects of which none is left behind. */
export interface EffectWatch {
  readonly perform: Perform;
  /** The names of the effects that are done by now, in this run or an earlier one. */
  done(): readonly string[];
  /** Follows something else that the handler began: its end is waited for, its failure is the handler's own matter. */
  follow<T>(begun: Promise<T>): Promise<T>;
  /**
   * Runs the handler, and waits for what it began without awaiting it.
   * @throws what the handler throws, what an effect failed with that it did not await, or the error of an effect that is
   * neither done nor refused, although the handler has caught it: whoever catches that would swallow the event
   */
  run(handler: () => Promise<void>): Promise<void>;
}

/**
 * Watches the effects of one handler's run. Two effects of one name at a time are one: the second waits, and is
 * told what the first one gave, instead of finding it in somebody else's hands and ending the attempt with both.
 * @param letGo waits until whatever can go on has gone on
 * @param noteRepeated hears once of each name that the handler uses again after it was done: mostly a loop in which one
 * name stands for several effects, of which all but the first are not done. Default: nobody hears.
 */
export function watchEffects(
  perform: Perform,
  letGo: () => Promise<void>,
  noteRepeated: (name: string) => void = () => {},
): EffectWatch {
  const running = new Set<Promise<unknown>>();
  const byName = new Map<string, Promise<unknown>>();
  const open = new Map<string, unknown>();
  const done = new Map<string, { readonly isTold: boolean }>();
  let isLeft = false;
  let failure: { readonly error: unknown } | undefined;

  const follow = <T>(begun: Promise<T>): Promise<T> => {
    running.add(begun);
    const forget = () => void running.delete(begun);
    begun.then(forget, forget);
    return begun;
  };

  const performWatched = <T>(name: string, effect: Effect<T>): Promise<T> => {
    const begin = () => {
      if (done.get(name)?.isTold === false) {
        done.set(name, { isTold: true });
        noteRepeated(name);
      }
      return perform(name, effect);
    };
    const earlier = byName.get(name);
    const begun = follow(earlier === undefined ? begin() : earlier.then(begin));
    byName.set(name, begun);
    const settle = () => {
      if (byName.get(name) === begun) byName.delete(name);
    };
    begun.then(
      () => {
        settle();
        open.delete(name);
        done.set(name, done.get(name) ?? { isTold: false });
      },
      (error: unknown) => {
        settle();
        if (isOpen(error)) open.set(name, error);
        else open.delete(name);
        if (isLeft) failure ??= { error };
      },
    );
    return begun;
  };

  const waitForAll = async (): Promise<void> => {
    while (running.size > 0) {
      await Promise.allSettled(running);
      await letGo();
    }
  };

  return {
    perform: performWatched,
    done: () => [...done.keys()],
    follow,
    run: async (handler) => {
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
    },
  };
}

/** Tells whether an effect may still happen, or could not even be begun. */
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
