import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { type HttpRequest, type HttpResponse, toHttpRequest } from "./lambda.ts";

/** A request with everything that a custom function may need. */
export interface WholeRequest extends HttpRequest {
  /** In capitals. */
  readonly method: string;
  /** Several values of one name are joined by a comma, as the gateway passes them. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The address that connected to the gateway; empty if unknown. */
  readonly sourceIp: string;
}

/** A response with its own headers. */
export interface WholeResponse extends HttpResponse {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Converts an HTTP API event (payload format 2.0) to a plain request with method, query and source address.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function toWholeRequest(event: APIGatewayProxyEventV2): WholeRequest {
  const { method = "", sourceIp = "" } = event.requestContext?.http ?? {};
  const query = event.queryStringParameters ?? {};
  return { ...toHttpRequest(event), method: method.toUpperCase(), query, sourceIp };
}

/**
 * Converts a response with headers to the gateway's format. Forbids caches to store the answer of a custom
 * function.
 */
export function toWholeResult({ status, headers, body }: WholeResponse): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body,
  };
}
