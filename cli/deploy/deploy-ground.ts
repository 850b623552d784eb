import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { S3Client } from "@aws-sdk/client-s3";
import { wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";

export type DeployGround = ReturnType<typeof openDeployGround>;

/**
 * @param whyNotLocal What the user reads for a local stack; default: it may be one
 * @throws CliError for a local stack
 */
export function openDeployGround({ target, edges, out, confirm }: WorkContext, whyNotLocal?: string) {
  if (target.kind === "local" && whyNotLocal !== undefined)
    throw wrongUse(whyNotLocal, "Name a deployed stage: --stage <name>.");
  return {
    target,
    edges,
    out,
    confirm,
    cloudFormation: target.client(CloudFormationClient, "CLOUDFORMATION"),
    s3: target.client(S3Client, "S3"),
  };
}
