import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { type HttpRequest, type HttpResponse, toHttpRequest } from "./lambda.ts";

export interface WholeRequest extends HttpRequest {
  /** In capitals. */
  readonly method: string;
  /** Values of one name are joined by a comma, by the gateway. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** That connected to the gateway; empty if unknown. */
  readonly sourceIp: string;
}

export interface WholeResponse extends HttpResponse {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Payload format 2.0.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function toWholeRequest(event: APIGatewayProxyEventV2): WholeRequest {
  const { method = "", sourceIp = "" } = event.requestContext?.http ?? {};
  const query = event.queryStringParameters ?? {};
  return { ...toHttpRequest(event), method: method.toUpperCase(), query, sourceIp };
}

/** Forbids caches to store the answer. */
export function toWholeResult({ status, headers, body }: WholeResponse): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body,
  };
}
