import type { ShownStep } from "../../lib/flows/operate-flows.ts";
import type { MemoryPlatform } from "../platform/create-memory-platform.ts";

/** What became of a story. */
export interface StoryOutcome {
  /** Messages that the platform took, whether the sender heard of it or not. */
  readonly sent: readonly SentMessage[];
  /** Everything that was asked of the platform and carried out. */
  readonly requests: readonly ApiRequest[];
  /** Everything that was asked of other hosts and carried out. */
  readonly requested: readonly OutsideRequestMade[];
  /** The flows that were started, in their order. */
  readonly started: readonly StartedFlow[];
  /** What became of them, in the same order. */
  readonly flows: readonly PlayedFlow[];
  /** State values by kind and key: `remembered["assigned-agent"]?.ann`. */
  readonly remembered: Remembered;
  /** What was only shown, in shadow. */
  readonly wouldHave: readonly WouldHave[];
  readonly log: readonly LogLine[];
  /** Why events were passed over, each time. */
  readonly passedOver: readonly unknown[];
  /** What was counted, by the metric's name. */
  readonly counts: ReadonlyMap<string, number>;
  /** Why an event was given up, if one was. */
  readonly buried: { readonly reason: unknown; readonly cause: unknown } | undefined;
  /** How many attempts at events failed. */
  readonly failures: number;
  /** Where a process could have died. */
  readonly edges: readonly string[];
  /** Where one did. */
  readonly crashed: readonly string[];
  /** How long all of it took, in milliseconds of the clock. */
  readonly tookMs: number;
  /** The platform as it is afterwards. */
  readonly platform: MemoryPlatform;
}

/** A request to another host that was carried out. */
export interface OutsideRequestMade {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
  readonly status: number;
}

/** A request to the platform's REST API that was carried out. */
export interface ApiRequest {
  readonly method: string;
  /** Without the version: `/messages`. */
  readonly path: string;
  readonly onBehalfOf: string | undefined;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly status: number;
  readonly answer: unknown;
}

/** A message that was sent. */
export interface SentMessage {
  readonly id: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly text: string | undefined;
  readonly metadata: object;
  /** As it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What was only shown, in shadow. */
export interface WouldHave {
  /** The effect's name, or the operation of a request that goes past the effects. */
  readonly name: string;
  /** The effect's, such as `send-text`; `chat-request`. */
  readonly kind: string;
}

/** A line of the log. */
export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A flow that was started. */
export interface StartedFlow {
  readonly name: string;
  readonly id: string;
  readonly input: unknown;
}

/** What became of a flow. */
export interface PlayedFlow extends StartedFlow {
  /** `running`: it waits for what did not come in this story, and has no time limit. */
  readonly state: "running" | "succeeded" | "failed" | "timed out" | "stopped";
  /** What its function gave. */
  readonly result: unknown;
  /** Why it failed. */
  readonly cause: string | undefined;
  /** What it did and waited for, in order, each with what came of it. */
  readonly steps: readonly ShownStep[];
}

/** State values by kind and key; the key of what is kept for the whole app is empty. */
export type Remembered = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
