import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GetRoleCommand, IAMClient, paginateSimulatePrincipalPolicy } from "@aws-sdk/client-iam";
import * as z from "zod/mini";
import { packageFolder, packagePlaceOf } from "../../build/folders.ts";
import type { Target } from "../target/target.ts";

const policySchema = z.object({
  Statement: z.array(
    z.object({
      Action: z.array(z.string()),
      Resource: z.array(z.string()),
      Condition: z.optional(z.unknown()),
    }),
  ),
});

const policyFile = "infrastructure/policies/deployer.json";

/** The policy that a deployment needs, for this stage. */
export async function readDeployerPolicy({ service, stage, region, accountId, identity }: Target) {
  const text = await readFile(join(packageFolder, policyFile), "utf8");
  const partition = identity.split(":")[1] ?? "aws";
  const filled = text
    .replaceAll("arn:aws:", `arn:${partition}:`)
    .replaceAll("<account>", accountId)
    .replaceAll("<region>", region)
    .replaceAll("<service>", service)
    .replaceAll("<stage>", stage);
  return policySchema.parse(JSON.parse(filled));
}

/** For people, from the project's folder. */
export function placeOfPolicy(projectFolder: string): string {
  return packagePlaceOf(projectFolder) + policyFile;
}

/**
 * The actions of the policy that IAM would deny the caller, sorted; not those of statements with conditions.
 * IAM simulates neither resources' own policies nor conditions of an organization's: more may be missing.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html
 * @throws the client's errors, if the caller may not simulate
 */
export async function findMissingRights(
  { client: makeClient, identity }: Pick<Target, "client" | "identity">,
  { Statement }: z.infer<typeof policySchema>,
): Promise<readonly string[]> {
  if (identity.endsWith(":root")) return [];
  const client = makeClient(IAMClient, "IAM");
  const PolicySourceArn = await findPrincipal(client, identity);
  const statements = Statement.filter(({ Condition }) => Condition === undefined);
  const missing = await Promise.all(
    statements.map(async ({ Action: ActionNames, Resource }) => {
      const allowed = new Set<string>();
      const ResourceArns = Resource.map((one) => (one === "*" ? one : one.replaceAll("*", "check")));
      const input = { PolicySourceArn, ActionNames, ResourceArns };
      for await (const { EvaluationResults = [] } of paginateSimulatePrincipalPolicy({ client }, input)) {
        for (const { EvalActionName = "", EvalDecision, MissingContextValues = [] } of EvaluationResults) {
          // An action that knows one kind of the resources is denied for the others.
          if (EvalDecision === "allowed" || MissingContextValues.length > 0) allowed.add(EvalActionName);
        }
      }
      return ActionNames.filter((action) => !allowed.has(action));
    }),
  );
  return [...new Set(missing.flat())].toSorted();
}

/** A session of a role does not name its path. */
async function findPrincipal(client: IAMClient, identity: string): Promise<string> {
  const [, role] = /:assumed-role\/([^/]+)\//.exec(identity) ?? [];
  if (role === undefined) return identity;
  return (await client.send(new GetRoleCommand({ RoleName: role }))).Role?.Arn ?? identity;
}
