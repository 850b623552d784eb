import type { Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import type { User } from "../store/users.ts";

/** Says on which app something is done and by whom; `actor` undefined is the app itself. Every `AppCall` is one. */
export type Acting = Services & { app: App; actor: User | undefined };
