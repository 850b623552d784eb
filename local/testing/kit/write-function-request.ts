import { newRequestId, writeHttpEvent } from "../../cloud/gateway/http-event.ts";
import { findRoute } from "../../cloud/gateway/route-table.ts";
import type { FunctionRequest } from "../function-run.ts";
import type { SignedLambdaEvent } from "../signed-lambda-event.ts";

const usualRoute = "$default";

/** @throws Error if the route does not take the method or path */
export function writeFunctionRequest(
  request: FunctionRequest,
  route: string | undefined,
  nowMs: number,
): SignedLambdaEvent {
  const { query = {}, body } = request;
  const method = request.method ?? methodOf(route);
  const url = new URL(`https://own.example${request.path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  const path = decodeURIComponent(url.pathname);
  const found = findRoute([{ key: route ?? usualRoute, functionKey: "function" }], method, path);
  if (found === undefined) throw new Error(`No route takes ${method} ${path}: there is only ${route}.`);
  return writeHttpEvent({
    request: {
      method,
      url: `${url.pathname}${url.search}`,
      httpVersion: "1.1",
      rawHeaders: Object.entries({ host: url.host, ...headersOf(request) }).flat(),
      socket: { remoteAddress: "127.0.0.1" },
    },
    requestId: newRequestId(),
    route: found,
    body: bytesOf(body),
    path,
    nowMs,
  });
}

function methodOf(route = usualRoute): string {
  const [, method = "ANY"] = /^([A-Z]+) /.exec(route) ?? [];
  return method === "ANY" ? "POST" : method;
}

function bytesOf(body: FunctionRequest["body"]): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === "object" ? JSON.stringify(body) : (body ?? ""));
}

function headersOf({ headers = {}, body }: FunctionRequest): Readonly<Record<string, string>> {
  const hasContentType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const isJson = typeof body === "object" && !(body instanceof Uint8Array);
  return isJson && !hasContentType ? { "content-type": "application/json", ...headers } : headers;
}
