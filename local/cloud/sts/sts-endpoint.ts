import { unknownOperation } from "../aws-error.ts";
import { localAccountId } from "../local-aws.ts";
import type { LocalServer } from "../local-server.ts";
import { startQueryServer } from "../query-protocol.ts";

/** @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html */
export function startStsEndpoint(): Promise<LocalServer> {
  return startQueryServer((action) => {
    if (action !== "GetCallerIdentity") throw unknownOperation(action, "InvalidAction");
    return {
      Account: localAccountId,
      Arn: `arn:aws:iam::${localAccountId}:user/local`,
      UserId: "LOCALUSER",
    };
  });
}
