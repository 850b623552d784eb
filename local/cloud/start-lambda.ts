import type { BuiltService } from "./build/build-service.ts";
import type { CloudOptions } from "./cloud-options.ts";
import type { CloudReport } from "./cloud-report.ts";
import type { CloudServices } from "./cloud-services.ts";
import { invokeFunction } from "./invoke.ts";
import type { KillPoint } from "./lambda/function-definition.ts";
import { InspectError, InspectorPort } from "./lambda/inspector-port.ts";
import { LambdaService } from "./lambda/lambda-service.ts";
import { accountConcurrency } from "./local-aws.ts";

export interface LambdaCounts {
  endedInvocations: number;
}

export async function openInspectors(
  { inspect = {} }: CloudOptions,
  { definition }: BuiltService,
  started: AsyncDisposableStack,
): Promise<ReadonlyMap<string, InspectorPort>> {
  const inspectors = new Map<string, InspectorPort>();
  for (const [key, port] of Object.entries(inspect)) {
    if (!Object.hasOwn(definition.functions, key)) {
      const known = Object.keys(definition.functions).join(", ");
      throw new InspectError(`There is no function ${key} to debug. serverless.yml has ${known}.`);
    }
    inspectors.set(
      key,
      started.adopt(await InspectorPort.open(port), (one) => one.close()),
    );
  }
  return inspectors;
}

export function startLambda(
  options: CloudOptions,
  { logs, metrics, clock, faults }: CloudServices,
  {
    report,
    inspectors,
    buildFolder,
    counts,
  }: {
    readonly report: CloudReport;
    readonly inspectors: ReadonlyMap<string, InspectorPort>;
    readonly buildFolder: string;
    readonly counts: LambdaCounts;
  },
): LambdaService {
  const keepLine = (message: string, name: string) =>
    logs.add(`/aws/lambda/${name}`, { stream: "local/[$LATEST]", message });
  return new LambdaService({
    functions: report.functions,
    concurrency: accountConcurrency,
    inspectors,
    functionClock: options.functionClock,
    clock,
    faults,
    buildFolder,
    log(line, { key, name }) {
      keepLine(line, name);
      metrics.readLine(line);
      options.log?.(line);
      options.onLine?.(line, key);
    },
    logOfLambda(line, { key, name }) {
      keepLine(line, name);
      options.onLambdaLine?.(line, key);
    },
    onThrottle({ name }) {
      metrics.add({ namespace: "AWS/Lambda", name: "Throttles", dimensions: { FunctionName: name } }, 1);
    },
    onInvocation(ended, { key, name }) {
      counts.endedInvocations += 1;
      const { durationMs: Duration, hasFailed } = ended;
      const measured = { Invocations: 1, Errors: hasFailed ? 1 : 0, Throttles: 0, Duration };
      for (const [metric, value] of Object.entries(measured)) {
        metrics.add({ namespace: "AWS/Lambda", name: metric, dimensions: { FunctionName: name } }, value);
      }
      options.onInvocation?.(ended, key);
    },
  });
}

export function warmFirst(
  lambda: LambdaService,
  report: CloudReport | undefined,
  inspectors: ReadonlyMap<string, InspectorPort>,
): void {
  const first = [report?.routes[0], report?.mappings[0]].flatMap((one) => one?.functionKey ?? []);
  for (const key of new Set([...first, ...inspectors.keys()]))
    lambda
      .pool(key)
      .warm()
      .catch(() => {});
}

export function functionControls(lambda: LambdaService) {
  return {
    invoke: (key: string, payload: unknown) => invokeFunction(lambda, key, payload),
    kill: (key: string) => lambda.pool(key).kill(),
    killWhen: (key: string, isMeant: (payload: string) => boolean, point: KillPoint) =>
      lambda.pool(key).killWhen(isMeant, point),
    /** Returns failed invocations that wait for a retry. */
    waitingTries: () => lambda.waitingTries(),
  };
}
