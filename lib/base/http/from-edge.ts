import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { readSettingOr } from "../config.ts";
import { sha256 } from "../digest.ts";
import { matchesAny } from "./basic-auth.ts";
import { toLambdaResult } from "./lambda.ts";

/**
 * Answers as the gateway does for an unknown route, unless the request came through the distribution of
 * infrastructure/edge/template.yml: its header's SHA-256 must be in ORIGIN_KEY_SHA256, if that is set.
 */
export function fromEdge<Invocation>(
  handler: (event: APIGatewayProxyEventV2, context: Invocation) => Promise<APIGatewayProxyStructuredResultV2>,
): typeof handler {
  const keys = readSettingOr("ORIGIN_KEY_SHA256", "");
  return async (event, context) =>
    !keys ||
    matchesAny(
      sha256(event.headers["x-origin"] ?? ""),
      keys.split(",").map((key) => Buffer.from(key, "hex")),
    )
      ? handler(event, context)
      : toLambdaResult({ status: 404, body: '{"message":"Not Found"}' });
}
