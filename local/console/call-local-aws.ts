import { type AwsCaller, createAwsCaller } from "../../lib/aws/aws-call.ts";
import { addressesOf } from "../cloud/cloud-services.ts";
import { consoleKeyId, localCredentials } from "../cloud/local-aws.ts";
import type { Cloud } from "../cloud/start-cloud.ts";

/** Calls the local AWS services as the operator's commands call AWS. */
export function callLocalAws({ endpoints, region }: Pick<Cloud, "endpoints" | "region">): AwsCaller {
  return createAwsCaller({
    ...addressesOf(endpoints),
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: consoleKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  });
}
