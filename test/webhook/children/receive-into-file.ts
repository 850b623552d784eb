import { createServer } from "node:http";
import { createSqliteStore, createWebhookReceiver, toNodeHandler } from "../../../package/webhook.ts";

// Receives deliveries for app-1 into the given file, and prints its port.
const [, , file = ""] = process.argv;
const store = createSqliteStore({ file });
const credentials = [{ username: "chat", password: "right-password" }];
const receive = createWebhookReceiver({ apps: { "app-1": { credentials } }, store });
const server = createServer(toNodeHandler(receive)).listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});
