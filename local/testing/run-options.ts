import type { StoryOptions } from "./story-options.ts";
import type { PlayedFlow, StoryOutcome } from "./story-outcome.ts";

/** The options of `runTrigger`. */
export interface RunTriggerOptions extends StoryOptions {
  /** How often the same event is delivered. Default: 1. */
  readonly deliveries?: number;
  /** How many attempts may fail before the run ends. Default: as many as the consumer makes. */
  readonly attempts?: number;
  /** The event's wait in the queue, in milliseconds. Default: 0. */
  readonly ageMs?: number;
  /** The trigger's `settings`, instead of those of config/. */
  readonly config?: unknown;
}

/** The outcome of the event and all later ones. */
export interface TriggerOutcome extends StoryOutcome {
  /** Whether all events of the story were handled completely. */
  readonly isHandled: boolean;
}

/** The options of `runFlow`. */
export interface RunFlowOptions extends StoryOptions {
  /** Default: app-1, as in the builders of events. */
  readonly appId?: string;
}

/** The outcome of the flow and all else. */
export type FlowOutcome = StoryOutcome & Pick<PlayedFlow, "state" | "result" | "cause" | "steps">;
