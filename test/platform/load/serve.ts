import process from "node:process";
import { storeMessage } from "../../../local/platform/chat/message-store.ts";
import { createPlatform } from "../../../local/platform/create-platform.ts";
import { servicesOf } from "../../../local/platform/services/services.ts";
import { findApp } from "../../../local/platform/store/apps.ts";
import { countDeliveries } from "../../../local/platform/store/deliveries.ts";
import { findGroup } from "../../../local/platform/store/groups.ts";
import { findUser } from "../../../local/platform/store/users.ts";
import {
  fullAccessKey,
  groupGuid,
  loadAppId,
  loadGroups,
  loadUsers,
  storedMessages,
  userUid,
} from "./world.ts";

// The platform under load, in a process of its own; driven over IPC by run.ts.

const users = Array.from({ length: loadUsers }, (_, index) => ({
  uid: userUid(index),
  name: `User ${index}`,
}));
const platform = await createPlatform({
  switches: { coreRateLimit: 1e9, standardRateLimit: 1e9 },
  seed: {
    management: { key: "load-key", secret: "load-secret" },
    apps: [
      {
        appId: loadAppId,
        region: "us",
        name: "Load",
        fullAccessKey,
        authOnlyKey: "b".repeat(40),
        users,
        groups: Array.from({ length: loadGroups }, (_, index) => ({
          guid: groupGuid(index),
          name: `Group ${index}`,
          owner: userUid(0),
          members: Object.fromEntries(users.map(({ uid }) => [uid, "participant" as const])),
        })),
      },
    ],
  },
});

await fill();
process.on("message", async (message) => {
  if (message === "count") {
    await platform.idle();
    process.send?.({ counts: countDeliveries(platform.services.db), rss: process.memoryUsage().rss });
  }
  if (message === "end") {
    await platform.close();
    process.disconnect();
  }
});
process.send?.({ url: platform.url });

async function fill(): Promise<void> {
  const { services } = platform;
  const app = findApp(services.db, loadAppId);
  if (app === undefined) throw new Error("The app under load is missing.");
  for (let index = 0; index < storedMessages; index += 1) {
    const sender = findUser({ db: services.db, appId: loadAppId }, userUid(index % loadUsers));
    const user = findUser({ db: services.db, appId: loadAppId }, userUid((index * 7 + 1) % loadUsers));
    const group = findGroup({ db: services.db, appId: loadAppId }, groupGuid(index % loadGroups));
    if (sender === undefined || user === undefined || group === undefined)
      throw new Error("The world has a hole.");
    await storeMessage(servicesOf(services, app), {
      sender,
      // One message in fifty goes to a group of everybody.
      recipient: index % 50 === 0 ? { type: "group", group } : { type: "user", user },
      category: "message",
      type: "text",
      data: { text: `Message ${index} of many` },
    });
  }
}
