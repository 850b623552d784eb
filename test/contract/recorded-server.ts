import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CatalogueOperation, exampleFor, ownOperations } from "./catalogue.ts";
import { clientMethods } from "./client-operations.ts";

/** Operations whose answer is a map of results by item. */
const mapAnswers = new Set([
  "block-users",
  "unblock-users",
  "restrict-features",
  "import-users",
  "import-groups",
  "import-members",
  "import-messages",
  "map-settings",
  "add-triggers",
]);

/** Holds what identifies each kind of thing, for operations whose answer nobody has written down. */
const anything = {
  id: "1",
  uid: "alice",
  guid: "lobby",
  role: "default",
  apiKey: "10ca1c0210ca1c0210ca1c0210ca1c0210ca1c02",
  authToken: "alice_1700000000abc",
  sessionId: "session-1",
  conversationId: "group_lobby",
  name: "Name",
  success: true,
  message: "done",
};

/** Answers that hold several things; what nobody has written down has the shape the client's methods say. */
const lists = new Set([
  ...clientMethods()
    .filter(({ operation }) => operation.paged)
    .map(({ operation }) => operation.id),
  "replace-global-pinned-conversations",
]);

const mapAnswer = { alice: { success: true, data: {} } };

/**
 * Starts a server that answers each operation with one recorded answer, whatever the input: the catalogue's example where
 * it has one, else one of our own. It stands in for routes the local platform does not have yet.
 */
export async function startRecordedServer() {
  const operations = ownOperations().map((operation) => ({
    ...operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const path =
        (request.url ?? "").split("?")[0]?.replace(/^\/[^/]*\.(api|call)-\w+\/v3|^\/apimgmt/, "") ?? "";
      const matches = operations.filter(
        ({ method, pattern }) => method === request.method && pattern.test(path),
      );
      const operation = matches.find(({ path: template }) => !template.includes("{")) ?? matches[0];
      response.writeHead(operation ? (operation.status ?? 200) : 404, { "content-type": "application/json" });
      if (operation?.status === 204) response.end();
      else
        response.end(
          JSON.stringify(operation ? answerOf(operation) : { error: { code: "ERR_API_NOT_FOUND" } }),
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrlTemplate: `http://127.0.0.1:${port}/{appId}.{service}-{region}/v3`,
    managementUrl: `http://127.0.0.1:${port}/apimgmt`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerOf(operation: CatalogueOperation): unknown {
  const example = exampleFor(operation);
  const isList = lists.has(operation.id);
  const own = isList ? [anything] : anything;
  const data = example?.data ?? (mapAnswers.has(operation.id) ? mapAnswer : own);
  if (operation.isBare) return data;
  const meta = example?.meta ?? { current: { limit: 100, count: 1 } };
  return { data, meta };
}
