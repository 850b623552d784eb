import type { DurationText } from "../../lib/base/duration.ts";
import type { PauseTarget } from "../../lib/effects/health/pause-settings.ts";
import type { FlowDefinition, FlowTable } from "../../lib/flows/define-flow.ts";
import type { AppSeed } from "../platform/seed.ts";

/** How a story is played. */
export interface StoryOptions {
  /** Where a process dies, once each, in this order; what it did is then attempted again, in a new process. */
  readonly crash?: CrashPoint | readonly (CrashPoint | EdgeCrash)[];
  /** When the story begins. Default: when its first event happened. */
  readonly clock?: Date;
  /** What happens later. */
  readonly later?: readonly Later[];
  /** The flows that may be started, and that events may wake. */
  readonly flows?: FlowTable;
  /** How often one flow may go on before the story is said never to end. Default: 100. */
  readonly mostTurns?: number;
  /** Everything decides, and does nothing. Default: false. */
  readonly shadow?: boolean;
  /** What the app's secret has besides its key. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What the app has besides whom the events name, and alice, bob, support and the group lobby. */
  readonly app?: Partial<Omit<AppSeed, "appId">>;
  /** Answers a request in the platform's place; undefined leaves it to the platform. */
  readonly answer?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Answers a request to another host. Default: 200 and an empty object. */
  readonly outside?: (request: Request) => Response | Promise<Response>;
  /** Hosts that may be asked besides those of config/requests.yml. */
  readonly allowedHosts?: readonly string[];
}

/**
 * What happens in a story, counted from its beginning: another delivery arrives, somebody cancels what runs of a flow, or
 * pauses the app, a trigger or a flow, or ends that.
 */
export type Later =
  | { readonly after: DurationText; readonly event: object }
  | { readonly after: DurationText; readonly cancel: FlowDefinition }
  | { readonly after: DurationText; readonly pause: PauseTarget }
  | { readonly after: DurationText; readonly resume: PauseTarget };

/**
 * Where a process dies: before or after something leaves it. `send` stands for sending a message, `request` for one of
 * `effects.request`, `start` for starting a flow, `checkpoint` for writing down what a flow did, `wake` for waking one,
 * `remember` for a write to a table; or the edge's own name, as `outcome.edges` lists them: `POST /groups`,
 * `dynamodb.PutItem`.
 */
export type CrashPoint = `${"before" | "after"} ${string}`;

/** One edge of a run, by its place in it. */
export interface EdgeCrash {
  readonly when: "before" | "after";
  /** From 0. */
  readonly edge: number;
}
