import type { FunctionRequest } from "../function-run.ts";
import { type SignedLambdaEvent, writeLambdaEvent } from "../signed-lambda-event.ts";

/** @throws Error if the route does not take the method or path */
export function writeFunctionRequest(
  request: FunctionRequest,
  route = "$default",
  nowMs: number,
): SignedLambdaEvent {
  const url = new URL(`https://own.example${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.append(name, value);
  const [, ofRoute = "ANY"] = /^([A-Z]+) /.exec(route) ?? [];
  const method = request.method ?? (ofRoute === "ANY" ? "POST" : ofRoute);
  const call = { method, headers: headersOf(request), body: bytesOf(request.body), nowMs };
  return writeLambdaEvent(url, call, [route]);
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
