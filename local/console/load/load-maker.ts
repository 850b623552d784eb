import { setImmediate } from "node:timers/promises";
import { servicesOf } from "../../platform/services/services.ts";
import type { App } from "../../platform/store/apps.ts";
import type { World } from "../../stack/world.ts";
import type { LoadState } from "../api/world-seed.ts";
import { type LoadStep, makeLoad } from "./make-load.ts";

/** Stops when the local stack is reset, restored or closed, so that nothing gets into new content. */
export class LoadMaker {
  readonly #services: World["platform"]["services"];
  #state: LoadState = { ...idle, wanted: idle.made };

  constructor({ platform }: Pick<World, "platform">) {
    this.#services = platform.services;
    platform.subscribe((record) => {
      if (record.type === "state") this.stop("The local stack was reset or restored.");
    });
  }

  get state(): LoadState {
    return this.#state;
  }

  /** Not while one runs. */
  start(app: App, wanted: LoadStep): void {
    this.#state = { ...idle, wanted, isRunning: true };
    void this.#run(app, wanted);
  }

  /** Ends after the current step, and keeps what was created. May be repeated. */
  stop(error: string): void {
    if (this.#state.isRunning) this.#state = { ...this.#state, isRunning: false, error };
  }

  async #run(app: App, wanted: LoadStep): Promise<void> {
    const began = performance.now();
    try {
      for (const { users, messages } of makeLoad(servicesOf(this.#services, app), wanted)) {
        const before = this.#state.made;
        const made = { users: before.users + users, messages: before.messages + messages };
        this.#state = { ...this.#state, made, tookMs: Math.round(performance.now() - began) };
        await setImmediate();
        const isMine = this.#state.wanted === wanted && this.#state.isRunning;
        if (!isMine || !this.#services.db.isOpen) return;
      }
      this.#state = { ...this.#state, isRunning: false };
    } catch (error) {
      this.stop(error instanceof Error ? error.message : String(error));
    }
  }
}

const idle = { isRunning: false, made: { users: 0, messages: 0 }, tookMs: 0, error: undefined };
