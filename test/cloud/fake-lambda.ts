import type { LambdaService } from "../../local/cloud/lambda/lambda-service.ts";
import type { Outcome } from "../../local/cloud/lambda/outcome.ts";

/** Makes a Lambda without processes that records its invocations and answers as `decide` does. */
export function fakeLambda(functionKeys: readonly string[], decide: () => Outcome | Promise<Outcome>) {
  const invocations: { functionKey: string; payload: unknown; type: string }[] = [];
  const note = (functionKey: string, payload: string, type: string) =>
    invocations.push({ functionKey, payload: JSON.parse(payload), type });
  const service: Pick<LambdaService, "functions" | "invoke" | "invokeAsync" | "reserved"> = {
    functions: functionKeys.map((key) => ({
      key,
      name: `service-${key}`,
      arn: `arn:aws:lambda:eu-central-1:000000000000:function:service-${key}`,
      handler: "",
      taskRoot: "",
      region: "eu-central-1",
      timeoutMs: 1000,
      memoryMb: 128,
      environment: {},
    })),
    reserved: new Map(),
    async invoke(functionKey, payload) {
      note(functionKey, payload, "RequestResponse");
      return await decide();
    },
    invokeAsync(functionKey, payload) {
      note(functionKey, payload, "Event");
    },
  };
  return { service, invocations };
}
