import { text } from "node:stream/consumers";
import { localAccountId } from "../local-aws.ts";
import { type LocalServer, startLocalServer } from "../local-server.ts";
import { answerQuery, QueryError, readQuery, refuseQuery } from "../query-protocol.ts";

/** @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html */
export function startStsEndpoint(): Promise<LocalServer> {
  return startLocalServer(async (request, response) => {
    try {
      const action = readQuery(await text(request)).get("Action") ?? "";
      if (action !== "GetCallerIdentity") {
        throw new QueryError("InvalidAction", `${action} is not part of the local stack.`);
      }
      answerQuery(response, action, {
        Account: localAccountId,
        Arn: `arn:aws:iam::${localAccountId}:user/local`,
        UserId: "LOCALUSER",
      });
    } catch (error) {
      refuseQuery(response, error);
    }
  });
}
