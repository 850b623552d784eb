import * as z from "zod/mini";
import { inParts, mapConcurrently } from "../base/batching.ts";
import { type CallDurable, pagesOf, timestamp } from "./durable-api.ts";

export type FlowStatus = z.infer<typeof statusSchema>;
export type ListedExecution = z.infer<typeof listedSchema>;

export interface ExecutionQuery {
  /** AWS does not say whether parts of names match: compare the found names. */
  readonly DurableExecutionName?: string;
  readonly Statuses?: FlowStatus | undefined;
}

/**
 * Lists executions by the version that they began on, newest first: without a version, Lambda lists those of
 * `$LATEST`, which starts none (flow-starter.ts).
 * @param most per version
 * @throws AwsCallError
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ListVersionsByFunction.html
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ListDurableExecutionsByFunction.html
 */
export async function* listExecutions(
  call: CallDurable,
  functionName: string,
  query: ExecutionQuery,
  most = Number.POSITIVE_INFINITY,
  isWanted: (name: string) => boolean = () => true,
): AsyncGenerator<ListedExecution, void, undefined> {
  const parts = ["functions", functionName, "durable-executions"];
  const listBegunOn = async (Qualifier: string) => {
    const asked = { ...query, Qualifier, ReverseOrder: true, MaxItems: Math.min(100, most) };
    const found: ListedExecution[] = [];
    for await (const { DurableExecutions } of pagesOf(executionsSchema, (Marker) =>
      call("ListDurableExecutionsByFunction", { method: "GET", parts, query: { ...asked, Marker } }),
    )) {
      found.push(...DurableExecutions.filter(({ DurableExecutionName }) => isWanted(DurableExecutionName)));
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  };
  for (const versions of inParts(await listVersions(call, functionName), flowsAtOnce))
    yield* (await mapConcurrently(versions, flowsAtOnce, listBegunOn)).flat();
}

export const flowsAtOnce = 4;

async function listVersions(call: CallDurable, functionName: string): Promise<readonly string[]> {
  const parts = ["functions", functionName, "versions"];
  const found: string[] = [];
  for await (const { Versions } of pagesOf(versionsSchema, (Marker) =>
    call("ListVersionsByFunction", { method: "GET", api: "2015-03-31", parts, query: { Marker } }),
  ))
    found.push(...Versions.map(({ Version }) => Version));
  const isPublished = (version: string) => /^\d+$/.test(version);
  return found.filter(isPublished).sort((one, other) => Number(other) - Number(one));
}

export const flowStatuses = ["RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "STOPPED"] as const;
/** `DELETING`: until a deletion is complete. */
const statusSchema = z.enum([...flowStatuses, "DELETING"]);
export const listedSchema = z.object({
  DurableExecutionArn: z.string(),
  DurableExecutionName: z.string(),
  Status: statusSchema,
  StartTimestamp: timestamp,
  EndTimestamp: z.optional(timestamp),
});
const marker = z.optional(z.string());
const executionsSchema = z.object({ DurableExecutions: z.array(listedSchema), NextMarker: marker });
const versionsSchema = z.object({ Versions: z.array(z.object({ Version: z.string() })), NextMarker: marker });

export function hasFailed(status: FlowStatus): boolean {
  return status === "FAILED" || status === "TIMED_OUT" || status === "STOPPED";
}
