import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { type HttpRequest, type HttpResponse, toHttpRequest } from "./lambda.ts";

/** A request with all that a function of one's own may want to know of it. */
export interface WholeRequest extends HttpRequest {
  /** In capitals. */
  readonly method: string;
  /** Several values of one name joined by a comma, as the gateway hands them over. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The address that the gateway was connected from; empty where nobody says. */
  readonly sourceIp: string;
}

/** A response with headers of its own. */
export interface WholeResponse extends HttpResponse {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Turns an HTTP API event (payload format 2.0) into a plain request, with method, query and source.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function toWholeRequest(event: APIGatewayProxyEventV2): WholeRequest {
  const { method = "", sourceIp = "" } = event.requestContext?.http ?? {};
  const query = event.queryStringParameters ?? {};
  return { ...toHttpRequest(event), method: method.toUpperCase(), query, sourceIp };
}

/**
 * Turns a response with headers into what the gateway expects. No answer of a function of one's own is kept by anybody
 * on its way.
 */
export function toWholeResult({ status, headers, body }: WholeResponse): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body,
  };
}
