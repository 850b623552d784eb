import { readFile } from "node:fs/promises";
import { join } from "node:path";
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

export type Policy = z.infer<typeof policySchema>;

const policyFile = "infrastructure/policies/deployer.json";

/** The policy that a deployment needs, for this stage. */
export async function readDeployerPolicy({
  stackName,
  stage,
  region,
  accountId,
  identity,
}: Pick<Target, "stackName" | "stage" | "region" | "accountId" | "identity">): Promise<Policy> {
  const text = await readFile(join(packageFolder, policyFile), "utf8");
  const partition = identity.split(":")[1] ?? "aws";
  const filled = text
    .replaceAll("arn:aws:", `arn:${partition}:`)
    .replaceAll("<account>", accountId)
    .replaceAll("<region>", region)
    .replaceAll("<service>", stackName.slice(0, -stage.length - 1))
    .replaceAll("<stage>", stage);
  return policySchema.parse(JSON.parse(filled));
}

/** For people, from the project's folder. */
export function placeOfPolicy(projectFolder: string): string {
  return packagePlaceOf(projectFolder) + policyFile;
}
