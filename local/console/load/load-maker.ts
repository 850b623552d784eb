import { setImmediate } from "node:timers/promises";
import { servicesOf } from "../../platform/services/services.ts";
import type { App } from "../../platform/store/apps.ts";
import type { World } from "../../stack/world.ts";
import type { LoadState } from "../api/world-seed.ts";
import { makeLoad } from "./make-load.ts";

export interface LoadMaker {
  state(): LoadState;
  /**
   * A stopped load keeps what it created.
   * @throws Error if one is running
   */
  start(app: App, wanted: { users: number; messages: number }): void;
  /** Ends after the current step. May be repeated. */
  stop(reason: string): void;
}

/** Stops when the local stack is reset, restored or closed, so that nothing gets into new content. */
export function createLoadMaker({ platform }: Pick<World, "platform">): LoadMaker {
  const { services } = platform;
  let state: LoadState = {
    isRunning: false,
    made: { users: 0, messages: 0 },
    wanted: { users: 0, messages: 0 },
    tookMs: 0,
    error: undefined,
  };
  const stop = (reason: string) => {
    if (state.isRunning) state = { ...state, isRunning: false, error: reason };
  };
  platform.subscribe((record) => {
    if (record.type === "state") stop("The local stack was reset or restored.");
  });

  const run = async (app: App, wanted: LoadState["wanted"]) => {
    const began = performance.now();
    const isMine = () => state.wanted === wanted && state.isRunning;
    try {
      for (const step of makeLoad(servicesOf(services, app), wanted)) {
        const { made } = state;
        state = {
          ...state,
          made: { users: made.users + step.users, messages: made.messages + step.messages },
          tookMs: Math.round(performance.now() - began),
        };
        await setImmediate();
        if (!isMine() || !services.db.isOpen) return;
      }
      state = { ...state, isRunning: false };
    } catch (error) {
      stop(error instanceof Error ? error.message : String(error));
    }
  };

  return {
    state: () => state,
    stop,
    start(app, wanted) {
      if (state.isRunning) throw new Error("A load is already running. Wait for it, or stop it first.");
      state = { isRunning: true, made: { users: 0, messages: 0 }, wanted, tookMs: 0, error: undefined };
      void run(app, wanted);
    },
  };
}
