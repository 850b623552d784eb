// Takes a delivery, stores it in a file, and returns it; fails at any mistake.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStore, createWebhookReceiver } from "cometchat-functions/webhook";

const folder = mkdtempSync(join(tmpdir(), "store-"));
const told = [];
const tell = (level) => (message, details) => told.push({ level, message, ...details });
const log = { debug: tell("debug"), info: tell("info"), warn: tell("warn"), error: tell("error") };
const store = createSqliteStore({ file: join(folder, "events.db"), log });
const credentials = [{ username: "chat", password: "a1b2c3d4e5" }];
const receive = createWebhookReceiver({ apps: { app: { credentials } }, store, log });

const handled = new Promise((resolve) => store.consume(async (event) => resolve(event.trigger)));
const answer = await receive(
  new Request("http://127.0.0.1/webhooks/app", {
    method: "POST",
    headers: { authorization: `Basic ${btoa("chat:a1b2c3d4e5")}`, "content-type": "application/json" },
    body: JSON.stringify({
      trigger: "user_connection_status_changed",
      appId: "app",
      data: { user: { uid: "alice", status: "online" }, timestamp: 1_763_800_000 },
    }),
  }),
);

assert.equal(answer.status, 200);
assert.equal(await handled, "user_connection_status_changed");
await store.close();
rmSync(folder, { recursive: true });
assert.deepEqual(
  told.filter(({ level }) => level === "error"),
  [],
);
process.stdout.write(`a store in a file works on ${process.version}\n`);
