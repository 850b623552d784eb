import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { invokeFunction } from "../../aws/functions.ts";
import { OwnError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";

const neededBySchema = z.record(z.string(), z.array(z.string()));

export const deployedFactsSchema = z.object({
  appIds: z.array(z.string()),
  triggers: z.array(z.object({ name: z.string(), isShadowed: z.boolean() })),
  flows: z.array(z.string()),
  /** Absent: a restarted flow would repeat its effects. */
  restartsFlows: z.optional(z.boolean()),
  needs: z.array(
    z.object({
      appIds: z.array(z.string()),
      webhook: neededBySchema,
      elsewhere: neededBySchema,
      everything: z.array(z.string()),
    }),
  ),
  canaries: z.array(z.object({ appId: z.string(), sender: z.string(), receiver: z.string() })),
  person: z.optional(z.object({ isHeld: z.boolean(), isDeclared: z.boolean() })),
});

export type DeployedFacts = z.infer<typeof deployedFactsSchema>;

export const factsRequest = { ask: "facts" } as const;

export class UnknownFactsError extends OwnError {
  override readonly name = "UnknownFactsError";

  constructor(functionName: string) {
    super(
      `The function ${functionName} does not say what is deployed: it failed, or another version is deployed. Look at its log, and deploy again.`,
    );
  }
}

const personSchema = z.object({ appId: z.string(), uid: z.string() });

/** Repeatable. @throws UnknownFactsError, AwsCallError */
export async function readDeployedFacts(
  callAws: AwsCaller,
  functionName: string,
  person?: z.infer<typeof personSchema>,
): Promise<DeployedFacts> {
  const request = { ...factsRequest, ...person };
  const answer = await invokeFunction(callAws, functionName, request, { timeoutMs: coldStartMs });
  const facts = deployedFactsSchema.safeParse(answer);
  if (facts.success) return facts.data;
  throw new UnknownFactsError(functionName);
}

const coldStartMs = 20_000;

export function asksForFacts(event: unknown): boolean {
  return isRecord(event) && event.ask === factsRequest.ask;
}

export function personFacts(
  event: unknown,
  contentOf: (appId: string) => {
    readonly users: readonly { readonly uid: string }[];
    readonly legalHold?: readonly string[] | undefined;
  },
): Pick<DeployedFacts, "person"> {
  const { data } = personSchema.safeParse(event);
  if (data === undefined) return {};
  const { users, legalHold = [] } = contentOf(data.appId);
  const isDeclared = users.some(({ uid }) => uid === data.uid);
  return { person: { isHeld: legalHold.includes(data.uid), isDeclared } };
}
