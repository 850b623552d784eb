import type { ShownStep } from "../../lib/flows/read-executions.ts";
import type { MemoryPlatform } from "../platform/create-memory-platform.ts";

/** The outcome of a story. */
export interface StoryOutcome {
  /** Messages that the platform accepted, even if the answer was lost. */
  readonly sent: readonly SentMessage[];
  /** All processed requests to the platform. */
  readonly requests: readonly ApiRequest[];
  /** All processed requests to other hosts. */
  readonly requested: readonly OutsideRequestMade[];
  /** The started flows, in order. */
  readonly started: readonly StartedFlow[];
  /** Their outcomes, in the same order. */
  readonly flows: readonly PlayedFlow[];
  /** State values by kind and key: `remembered["assigned-agent"]?.ann`. */
  readonly remembered: Remembered;
  /** Effects that shadow only reported. */
  readonly wouldHave: readonly WouldHave[];
  readonly log: readonly LogLine[];
  /** Why events were skipped, each time. */
  readonly passedOver: readonly unknown[];
  /** Counts by metric name. */
  readonly counts: ReadonlyMap<string, number>;
  /** Why an event was dead-lettered, if one was. */
  readonly buried: { readonly reason: unknown; readonly cause: unknown } | undefined;
  /** The number of failed attempts. */
  readonly failures: number;
  /** Where a process could have crashed. */
  readonly edges: readonly string[];
  /** Where one did. */
  readonly crashed: readonly string[];
  /** In milliseconds of the clock. */
  readonly tookMs: number;
  /** The platform's final state. */
  readonly platform: MemoryPlatform;
}

/** A processed request to another host. */
export interface OutsideRequestMade {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON. */
  readonly body: unknown;
  readonly status: number;
}

/** A processed request to the platform's REST API. */
export interface ApiRequest {
  readonly method: string;
  /** Without the version: `/messages`. */
  readonly path: string;
  readonly onBehalfOf: string | undefined;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly status: number;
  readonly answer: unknown;
  /** When it was sent, by the story's clock. */
  readonly at: Date;
}

/** A sent message. */
export interface SentMessage {
  readonly id: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly text: string | undefined;
  readonly metadata: object;
  /** As it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
  /** When it was sent, by the story's clock. */
  readonly at: Date;
}

/** An effect that shadow only reported. */
export interface WouldHave {
  /** The effect's name, or a direct request's operation. */
  readonly name: string;
  /** The effect's, such as `send-text`; `chat-request`. */
  readonly kind: string;
}

/** One line of the log. */
export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A started flow. */
export interface StartedFlow {
  readonly name: string;
  readonly id: string;
  readonly input: unknown;
}

/** The outcome of a flow. */
export interface PlayedFlow extends StartedFlow {
  /** `running`: it waits endlessly for something that did not happen. */
  readonly state: "running" | "succeeded" | "failed" | "timed out" | "stopped";
  /** The result of its function. */
  readonly result: unknown;
  /** Why it failed. */
  readonly cause: string | undefined;
  /** Its steps and waits, in order, each with its result. */
  readonly steps: readonly ShownStep[];
}

/** State values by kind and key; a value for the whole app has an empty key. */
export type Remembered = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
