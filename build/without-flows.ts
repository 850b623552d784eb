import type { ListedRight } from "./function-roles.ts";

/**
 * A plugin of serverless: in a stage with `flows: off` in config/stages.yml, leaves out the function of flows
 * and what names it. The table of waits stays, empty.
 */
export default class WithoutFlows {
  readonly hooks: Readonly<Record<string, () => void>>;

  constructor({ service }: Serverless) {
    const leaveOut = () => {
      if (service.custom.stages[service.provider.stage]?.flows === "off") leaveOutFlows(service);
    };
    this.hooks = { "before:package:initialize": leaveOut, "before:run:run": leaveOut };
  }
}

const rightsOfFlows: readonly ListedRight[] = ["startFlows", "wakeFlows"];

/** Changes the service in place. */
export function leaveOutFlows({ functions, provider, custom }: Service): void {
  delete functions.flows;
  provider.environment.FLOWS = "off"; // lib/flows/define-flow.ts
  for (const definition of Object.values(functions)) {
    delete definition.environment?.FLOWS_FUNCTION_NAME;
    const { rights } = definition;
    if (rights !== undefined) definition.rights = rights.filter((right) => !rightsOfFlows.includes(right));
  }
  for (const { of } of Object.values(custom.alarms)) {
    if (of.in !== undefined) of.in = of.in.filter((key) => key !== "flows");
  }
}

/** Serverless publishes no types. */
interface Service {
  readonly provider: { readonly stage: string; readonly environment: Record<string, unknown> };
  readonly functions: Record<
    string,
    { rights?: readonly ListedRight[]; readonly environment?: Record<string, unknown> }
  >;
  readonly custom: {
    readonly alarms: Readonly<Record<string, { readonly of: { in?: readonly string[] } }>>;
    readonly stages: Readonly<Record<string, { readonly flows?: string } | null>>;
  };
}

interface Serverless {
  readonly service: Service;
}
