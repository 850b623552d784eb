import { isDeepStrictEqual } from "node:util";
import type { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import * as z from "zod/mini";
import { type AwsCaller, unlessNotFound } from "../../lib/aws/aws-call.ts";
import { callLambda } from "../../lib/aws/call-lambda.ts";
import { mapConcurrently } from "../../lib/base/batching.ts";
import type { StackResources, StackState } from "../target/target.ts";
import { parseTemplate, readTemplate } from "./changes.ts";

export const mappingType = "AWS::Lambda::EventSourceMapping";
/** An output of the stack: resources that a repair removed and has to create again. */
export const takenOutOutput = "TakenOutByRepair";

export function takenOutOf({ outputs }: StackState): readonly string[] {
  return outputs[takenOutOutput]?.split(" ") ?? [];
}

type Properties = Readonly<Record<string, unknown>>;

/**
 * Reads mappings, which drift detection does not cover
 * (https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/2260), and settings that a
 * template omits. A deployment reverts neither.
 */
export async function readChangedInLambda(
  cloudFormation: CloudFormationClient,
  callAws: AwsCaller,
  { name, resources }: StackResources,
) {
  const { Resources } = parseTemplate(await readTemplate(cloudFormation, name));
  const found = await mapConcurrently(
    [...resources],
    mostAtOnce,
    async ([logicalId, { type, physicalId }]) => {
      const read = readers[type];
      const of = await read?.(callAws, physicalId, Resources[logicalId]?.Properties ?? {});
      return of && of.differences.length > 0 ? [{ logicalId, type, ...of }] : [];
    },
  );
  return found.flat();
}

const mostAtOnce = 10;

type Reader = (
  callAws: AwsCaller,
  id: string,
  deployed: Properties,
) => Promise<{
  /** Texts such as `is disabled`. */
  readonly differences: readonly string[];
  readonly restore: (() => Promise<unknown>) | undefined;
}>;

const readers: Readonly<Record<string, Reader>> = {
  [mappingType]: readMapping,
  "AWS::Lambda::Function": readReserved,
};

/** Compared even if the template omits them; an empty object or list removes a setting. */
const defaults: Properties = {
  Enabled: true,
  ScalingConfig: {},
  FunctionResponseTypes: [],
  FilterCriteria: {},
};
/** Cannot be changed, or have another form in answers. */
const notCompared = /^(FunctionName|EventSourceArn|StartingPosition|Tags$|KmsKeyArn)/;
const intrinsic = /"(Ref|Fn::\w+)":/;

/**
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetEventSourceMapping.html
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_UpdateEventSourceMapping.html
 */
async function readMapping(callAws: AwsCaller, uuid: string, properties: Properties) {
  const path = `/2015-03-31/event-source-mappings/${encodeURIComponent(uuid)}`;
  const call = (method: "GET" | "PUT", input: Properties) =>
    callLambda(callAws, `${method === "GET" ? "Get" : "Update"}EventSourceMapping`, { method, path }, input);
  const deployed: Properties = { ...defaults, ...properties };
  const answer = await unlessNotFound(call("GET", {}));
  const { State, ...actual } = z.looseObject({ State: z.optional(z.string()) }).parse(answer ?? {});
  const current: Properties = { ...actual, Enabled: !/^Disabl/.test(State ?? "") };
  const changed = Object.keys(deployed).filter(
    (key) =>
      !notCompared.test(key) &&
      !intrinsic.test(JSON.stringify(deployed[key])) &&
      !isSame(current[key], deployed[key]),
  );
  return {
    differences:
      answer === undefined
        ? ["is deleted"]
        : changed.map((key) => describeDifference(key, current, deployed)),
    restore:
      answer === undefined
        ? undefined
        : () => call("PUT", Object.fromEntries(changed.map((key) => [key, deployed[key]]))),
  };
}

function isSame(one: unknown, other: unknown) {
  return isDeepStrictEqual(one, other) || (isEmpty(one) && isEmpty(other));
}

function isEmpty(value: unknown) {
  return value == null || (typeof value === "object" && Object.values(value).every(isEmpty));
}

function describeDifference(key: string, current: Properties, deployed: Properties) {
  if (key === "Enabled") return current[key] === true ? "is enabled" : "is disabled";
  if (key === "ScalingConfig") {
    const [most, wanted] = [current, deployed].map((one) => limitIn(one[key]) ?? "any number of");
    return `runs ${most} batches at once, not ${wanted}`;
  }
  const [now, before] = [current, deployed].map((one) => JSON.stringify(one[key] ?? null));
  return `has the ${key} ${now}, not ${before}`;
}

function limitIn(scaling: unknown) {
  return z.object({ MaximumConcurrency: z.optional(z.number()) }).safeParse(scaling).data?.MaximumConcurrency;
}

const reservedSchema = z.object({ ReservedConcurrentExecutions: z.optional(z.number()) });

/**
 * Detects a reserved concurrency of 0, often set to stop something: a function then never runs.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConcurrency.html
 */
async function readReserved(callAws: AwsCaller, name: string, properties: Properties) {
  const of = (version: string) => `/${version}/functions/${encodeURIComponent(name)}/concurrency`;
  const get = { method: "GET", path: of("2019-09-30") } as const;
  const wanted = reservedSchema.safeParse(properties).data?.ReservedConcurrentExecutions;
  // Drift detection names a deleted function.
  const answer = await unlessNotFound(callLambda(callAws, "GetFunctionConcurrency", get));
  const actual = answer === undefined ? wanted : reservedSchema.parse(answer).ReservedConcurrentExecutions;
  const never = actual === 0 ? ": it never runs" : "";
  const difference = `has a reserved concurrency of ${actual ?? "none"}, not ${wanted ?? "none"}${never}`;
  return {
    differences: actual === wanted ? [] : [difference],
    restore: () => {
      const path = of("2017-10-31");
      return wanted === undefined
        ? callLambda(callAws, "DeleteFunctionConcurrency", { method: "DELETE", path })
        : callLambda(
            callAws,
            "PutFunctionConcurrency",
            { method: "PUT", path },
            { ReservedConcurrentExecutions: wanted },
          );
    },
  };
}
