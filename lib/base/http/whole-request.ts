import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { readSettingOr } from "../config.ts";
import { type HttpRequest, type HttpResponse, toHttpRequest } from "./lambda.ts";

export interface WholeRequest extends HttpRequest {
  /** In capitals. */
  readonly method: string;
  /** Values of one name are joined by a comma, by the gateway. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The address that connected to the gateway, or to the distribution in front of it; empty if not known. */
  readonly sourceIp: string;
}

export interface WholeResponse extends HttpResponse {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads payload format 2.0.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function toWholeRequest(event: APIGatewayProxyEventV2): WholeRequest {
  const { method = "", sourceIp: connected = "" } = event.requestContext?.http ?? {};
  const query = event.queryStringParameters ?? {};
  const request = toHttpRequest(event);
  // The distribution appends its caller's address, and the gateway the distribution's.
  const [caller = connected] =
    readSettingOr("ORIGIN_KEY_SHA256", "") === ""
      ? []
      : (request.headers["x-forwarded-for"]?.split(",").slice(-2) ?? []);
  return { ...request, method: method.toUpperCase(), query, sourceIp: caller.trim() };
}

/** Also forbids caches to store it. */
export function toWholeResult({ status, headers, body }: WholeResponse): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body,
  };
}
