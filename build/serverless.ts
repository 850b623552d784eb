import type { AlarmDefinitions } from "./alarms/alarm-schema.ts";
import type { Stage } from "./stages.ts";

/** The parts of serverless that the plugins use; it publishes no types. */
export interface Serverless {
  readonly serviceDir: string;
  readonly service: Service;
  readonly classes: { readonly Error: new (message: string, code: string) => Error };
  readonly configSchemaHandler: { defineFunctionProperties(provider: string, schema: object): void };
  readonly pluginManager: { readonly plugins: readonly object[] };
  getProvider(name: string): {
    getStage(): string;
    readonly naming: {
      getStackName(): string;
      getHttpApiRouteLogicalId(routeKey: string): string;
      getLambdaDurableAliasLogicalId(functionKey: string): string;
      getLambdaLogicalId(functionKey: string): string;
      getLogGroupLogicalId(functionKey: string): string;
      getNormalizedFunctionName(functionKey: string): string;
    };
  };
}

export interface Service {
  readonly provider: {
    readonly stage: string;
    readonly environment: Record<string, unknown>;
    kmsKeyArn?: string | undefined;
    profile?: string;
    readonly compiledCloudFormationTemplate: Template;
  };
  readonly functions: Record<string, ServiceFunction>;
  readonly resources: Template & {
    readonly extensions: {
      readonly HttpApiStage: {
        DependsOn?: readonly string[];
        readonly Properties: { RouteSettings: Readonly<Record<string, unknown>> };
      };
    };
  };
  readonly custom: {
    readonly name: string;
    readonly stages: Readonly<Record<string, Stage | null>>;
    readonly rights: Readonly<Record<string, Right>>;
    readonly alarms: AlarmDefinitions;
    readonly esbuild: { readonly plugins?: string; readonly [option: string]: unknown };
  };
  readonly package?: { readonly path?: string };
}

export interface ServiceFunction {
  readonly handler: string;
  rights?: readonly ListedRight[];
  role?: unknown;
  dependsOn?: readonly string[];
  package?: object;
  readonly events?: { readonly httpApi?: string | Route }[];
  readonly environment?: Record<string, unknown>;
}

export interface Route {
  readonly method?: string;
  readonly path?: string;
}

export interface Template {
  readonly Resources: Record<string, Resource>;
  Outputs?: Record<string, { Value: unknown }>;
  Metadata?: Readonly<Record<string, unknown>>;
}

export interface Resource {
  readonly Type: string;
  Properties?: Readonly<Record<string, unknown>>;
}

export type Right = RightStatement | readonly RightStatement[];

export type ListedRight = string | RightStatement;

export interface RightStatement {
  readonly Effect?: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

export function stageOf({ service }: Pick<Serverless, "service">): Stage {
  return service.custom.stages[service.provider.stage] ?? {};
}
