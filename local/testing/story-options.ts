import type { DurationText } from "../../lib/base/config-fields.ts";
import type { PauseTarget } from "../../lib/effects/health/pause-settings.ts";
import type { FlowDefinition, FlowTable } from "../../lib/flows/define-flow.ts";
import type { AppContents } from "../test-platform/app-contents.ts";
import type { SentMessage } from "./story-outcome.ts";

/** The options of a story. */
export interface StoryOptions {
  /** Each crashes a process once, in this order; a new process then makes another attempt. */
  readonly crash?: CrashPoint | readonly (CrashPoint | EdgeCrash)[];
  /** The story's start. Default: the time of its first event. */
  readonly clock?: Date;
  /** Later occurrences. */
  readonly later?: readonly Later[];
  /** The flows that may be started, and that events may wake. */
  readonly flows?: FlowTable;
  /** How often one flow may be invoked before the story counts as endless. Default: 100. */
  readonly mostTurns?: number;
  /** Triggers and flows decide but have no effects. Default: false. */
  readonly shadow?: boolean;
  /** Fields of the app's secret besides its key. */
  readonly secrets?: Readonly<Record<string, string>>;
  /**
   * The app's contents besides the events' users and groups, alice, bob, support and the group lobby: what a
   * seed of `createPlatform` holds.
   */
  readonly app?: Omit<AppContents, "appId">;
  /** Answers a request instead of the platform. Undefined leaves it to the platform. */
  readonly answer?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** Answers a request to another host. Default: 200 and an empty object. */
  readonly outside?: (request: Request) => Response | Promise<Response>;
  /** Allowed hosts besides those of config/requests.yml. */
  readonly allowedHosts?: readonly string[];
}

/**
 * Relative to the story's start: another delivery, the cancellation of a flow's running executions, a pause
 * of the app, a trigger or a flow, or its end.
 */
export type Later =
  | { readonly after: DurationText; readonly event: object | LaterEvent }
  | { readonly after: DurationText; readonly cancel: FlowDefinition }
  | { readonly after: DurationText; readonly pause: PauseTarget }
  | { readonly after: DurationText; readonly resume: PauseTarget };

/** Builds the event when it happens, such as a reaction to a message that a flow sent. */
export type LaterEvent = (sent: readonly SentMessage[]) => object;

/**
 * Where a process crashes: before or after a request or write. `send` means sending a message, `request` a
 * call of `effects.request`, `start` starting a flow, `checkpoint` saving its progress, `wake` waking one,
 * `remember` a write to a table; or an edge's name, as in `outcome.edges`: `POST /groups`,
 * `dynamodb.PutItem`.
 */
export type CrashPoint = `${"before" | "after"} ${string}`;

/** One edge of a run, by its index. */
export interface EdgeCrash {
  readonly when: "before" | "after";
  /** From 0. */
  readonly edge: number;
}
