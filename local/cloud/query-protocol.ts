import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { AwsError } from "./aws-error.ts";
import { type LocalServer, startLocalServer } from "./local-server.ts";

// Requests are forms, answers XML. https://smithy.io/2.0/aws/protocols/aws-query-protocol.html

/** A text, elements by name, or a list of elements named `member`. */
export type XmlValue = string | undefined | readonly XmlValue[] | { readonly [name: string]: XmlValue };

/** @param perform throws AwsError to refuse a call */
export function startQueryServer(
  perform: (action: string, query: URLSearchParams) => XmlValue | Promise<XmlValue>,
): Promise<LocalServer> {
  return startLocalServer(async (request, response) => {
    try {
      const query = new URLSearchParams(await text(request));
      const action = query.get("Action") ?? "";
      answerQuery(response, action, await perform(action, query));
    } catch (error) {
      refuseQuery(response, error);
    }
  });
}

export function answerQuery(response: ServerResponse, action: string, result: XmlValue): void {
  const answer = {
    [`${action}Response`]: {
      [`${action}Result`]: result,
      ResponseMetadata: { RequestId: randomUUID() },
    },
  };
  response.writeHead(200, { "content-type": "text/xml" }).end(toXml(answer));
}

export function refuseQuery(response: ServerResponse, error: unknown): void {
  const known = error instanceof AwsError;
  const fault = {
    Type: known ? "Sender" : "Receiver",
    Code: known ? error.code : "InternalFailure",
    Message: known ? error.message : "The local service failed.",
  };
  response
    .writeHead(known ? 400 : 500, { "content-type": "text/xml" })
    .end(toXml({ ErrorResponse: { Error: fault, RequestId: randomUUID() } }));
}

function toXml(value: XmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "string") return escapeXml(value);
  if (isList(value)) return value.map((item) => `<member>${toXml(item)}</member>`).join("");
  return Object.entries(value)
    .filter(([, content]) => content !== undefined)
    .map(([name, content]) => `<${name}>${toXml(content)}</${name}>`)
    .join("");
}

function isList(value: XmlValue): value is readonly XmlValue[] {
  return Array.isArray(value);
}

export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
