import type { RequestRules } from "../../../lib/effects/http/allowed-hosts.ts";
import type { createFlowRunner } from "../../../lib/flows/build-flow-runner.ts";
import type { FlowTable } from "../../../lib/flows/define-flow.ts";
import type { TriggerTable } from "../../../lib/handle/on-trigger.ts";
import type { AppAddition } from "../../platform/create-memory-platform.ts";
import type { CrashPoint, EdgeCrash } from "../story-options.ts";

export interface SimulationOptions {
  readonly triggers: TriggerTable;
  readonly flows: FlowTable;
  readonly mostTurns: number;
  /** Sets all triggers and flows to shadow. */
  readonly isShadow: boolean;
  readonly apps: readonly AppAddition[];
  readonly startMs: number;
  readonly crashes: readonly (CrashPoint | EdgeCrash)[];
  /** Fields of the app's secret besides its key. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Undefined leaves a request to the platform. */
  readonly answer: (request: Request) => Response | undefined | Promise<Response | undefined>;
  readonly outside: (request: Request) => Response | Promise<Response>;
  readonly requestRules: RequestRules;
  readonly createRunner: typeof createFlowRunner | undefined;
}
