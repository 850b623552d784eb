import type { App } from "../store/apps.ts";
import type { Happenings } from "./happenings.ts";
import type { Announce, Services } from "./services.ts";

/** Says who listens to what happens, in the order in which they are told. */
export type Listeners = {
  readonly [What in keyof Happenings]: readonly Listener<What>[];
};

/** Hears of one kind of happening, in the transaction in which it happens. */
export type Listener<What extends keyof Happenings> = (
  services: Services,
  app: App,
  detail: Happenings[What],
) => void;

/** Creates what tells the listeners; `services` gives what they work with, once it is complete. */
export function createAnnounce(listeners: Listeners, services: () => Services): Announce {
  return (app, what, detail) => {
    for (const listen of listeners[what]) listen(services(), app, detail);
  };
}
