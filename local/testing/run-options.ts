import type { StoryOptions } from "./story-options.ts";
import type { PlayedFlow, StoryOutcome } from "./story-outcome.ts";

/** How an event is handed to a trigger. */
export interface RunTriggerOptions extends StoryOptions {
  /** How often the same event is handed over. Default: 1. */
  readonly deliveries?: number;
  /** How many attempts at it may fail before the run is over. Default: as many as the consumer makes. */
  readonly attempts?: number;
  /** How long the event waits in the queue before it is handled, in milliseconds. Default: 0. */
  readonly ageMs?: number;
  /** What the trigger is given as `settings`, in place of what config/ says. */
  readonly config?: unknown;
}

/** What became of the event, and of all else. */
export interface TriggerOutcome extends StoryOutcome {
  /** Whether all events of the story were handled to their end. */
  readonly isHandled: boolean;
}

/** How a flow is played. */
export interface RunFlowOptions extends StoryOptions {
  /** Default: app-1, as the builders of events have it. */
  readonly appId?: string;
}

/** What became of the flow, and of all else. */
export type FlowOutcome = StoryOutcome & Pick<PlayedFlow, "state" | "result" | "cause" | "steps">;
