import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { writeHttpEvent } from "../../../local/cloud/gateway/http-event.ts";

// Replaces the gateway of a module's `handler`, and prints its port; each request becomes an event of payload
// 2.0.
const [, , file = ""] = process.argv;
const { handler } = await import(pathToFileURL(file).href);
const route = { functionKey: "own", key: "POST /webhooks/{appId}", pathParameters: { appId: "local-app" } };
const server = createServer(async (request, response) => {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  const body = await buffer(request);
  const event = writeHttpEvent({ request, requestId: "1", path, route, body, nowMs: Date.now() });
  const result = await handler(event);
  response.writeHead(result.statusCode, {
    ...result.headers,
    "x-was-base64": String(event.isBase64Encoded),
  });
  response.end(result.body);
}).listen(0, "127.0.0.1", () => {
  process.stdout.write(`port ${Object(server.address()).port}\n`);
});
