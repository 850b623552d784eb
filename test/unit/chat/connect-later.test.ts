import { expect, it } from "vitest";
import { composeOn, openConnection } from "../../../lib/chat/compose.ts";
import { connectLater } from "../../../lib/chat/connect-later.ts";
import { users } from "../../../lib/chat/resources/users.ts";

const limits = [10_000, 20_000, 60];

it("opens the way to an app once, by the first request, and tries again where that failed", async () => {
  const opened: string[] = [];
  const connection = connectLater(async () => {
    opened.push("opened");
    if (opened.length === 1) throw new Error("not yet");
    const fetch = async () => Response.json({ data: { uid: "ann", name: "Ann" } });
    return openConnection({ appId: "app-1", apiKey: "a-test-key", fetch });
  });
  const chat = composeOn(connection, { users });
  const limitsNow = () => Object.values(chat.rateLimit()).map(({ limit }) => limit);
  expect([limitsNow(), opened]).toEqual([limits, []]);

  await expect(chat.users.get("ann")).rejects.toThrow("not yet");
  const found = await Promise.all([chat.users.get("ann"), chat.users.get("ann")]);

  expect(found).toMatchObject([{ uid: "ann" }, { uid: "ann" }]);
  expect([limitsNow(), opened]).toEqual([limits, ["opened", "opened"]]);
});
