import { localAccountId } from "../local-aws.ts";
import type { LocalServer } from "../local-server.ts";
import { QueryError, startQueryServer } from "../query-protocol.ts";

/** @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html */
export function startStsEndpoint(): Promise<LocalServer> {
  return startQueryServer((action) => {
    if (action !== "GetCallerIdentity") {
      throw new QueryError("InvalidAction", `${action} is not part of the local stack.`);
    }
    return {
      Account: localAccountId,
      Arn: `arn:aws:iam::${localAccountId}:user/local`,
      UserId: "LOCALUSER",
    };
  });
}
