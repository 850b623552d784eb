import { beforeAll, expect, it } from "vitest";
import {
  describeInBrowser,
  expectAccessible,
  expectGoodLooks,
  expectShown,
  expectText,
  follow,
  press,
} from "../helpers/browser.ts";
import { isNight } from "../helpers/by-day.ts";
import { createSetAside } from "../helpers/set-aside.ts";
import { usePages } from "../helpers/use-pages.ts";

const console = usePages();
const causes = [
  "TypeError: Cannot read properties of undefined (reading 'uid')",
  "ChatApiError: ERR_UID_NOT_FOUND, the user support does not exist",
];

beforeAll(async () => {
  const { cloud } = console.world;
  await cloud.pauseConsumers();
  const setAside = createSetAside(cloud);
  for (let count = 0; count < 104; count += 1) {
    const isFault = count % 4 === 0;
    await setAside.bury(`event-${count}`, {
      reason: isFault ? "tries" : "permanent",
      cause: causes[isFault ? 0 : 1] ?? "",
      trigger: count % 3 === 0 ? "group_member_joined" : "message_sent",
    });
  }
  await setAside.quarantine('{"trigger":"message_sent","data":"ليس كائنًا"}');
});

describeInBrowser("the queues", () => {
  it("finds a dead letter by its cause, shows it, and replays it", async () => {
    // A replayed letter is missing when its pane reloads.
    const page = await console.open("#/queues", { expected: /404/ });
    const cards = page.getByRole("navigation", { name: "Queues" });
    await follow(cards, "Dead letters");
    await expectText(page, "104 of 104");
    await expectAccessible(page);

    await page.getByLabel("Search reason and cause").fill("typeerror");
    await expectText(page, "26 of 104");
    await page.getByRole("link", { name: "message_sent" }).first().click();
    const pane = page.getByRole("region", { name: "Message", exact: true });
    await expectText(pane, "reading 'uid'");
    await expectShown(pane.getByRole("link", { name: "Its journey" }));
    await expectAccessible(page);

    await page.getByRole("checkbox").first().check();
    await press(page, "Replay selected (1)");
    const dialog = page.getByRole("dialog", { name: "Replay 1 dead letter?" });
    await expectAccessible(page);
    await press(dialog, "Replay");
    await expectText(page, "Replayed 1 of 1.");
    await expectText(page, "25 of 103");
    await follow(cards, "Events");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
  });

  it("requires the typed number before it deletes many", async () => {
    const page = await console.open("#/queues/dead-letters");
    await press(page, "Drop all (103)");
    const dialog = page.getByRole("dialog", { name: "Delete 103 dead letters for good?" });
    await expectText(dialog, "permanent 78");
    const act = dialog.getByRole("button", { name: "Delete for good" });
    expect(await act.isDisabled()).toBe(true);
    await expectAccessible(page);
    await press(dialog, "Cancel");

    await page.getByLabel("Event", { exact: true }).selectOption("group_member_joined");
    await press(page, /Drop all \(3\d\)/);
    await press(page, "Delete for good");
    await expectText(page, /Deleted 3\d of 3\d\./);
    await expectText(page, "Nothing matches");
  });

  it("shows the second page, drops the rest of a selection, and reports failures", async () => {
    const { cloud } = console.world;
    const setAside = createSetAside(cloud);
    for (let count = 0; count < 40; count += 1) await setAside.bury(`later-${count}`);
    const all = cloud.queueDepth("DeadLetterQueue").visible;
    const page = await console.open("#/queues/dead-letters?page=2", { expected: /409/ });
    const ticks = page.getByRole("checkbox");
    await expect.poll(() => ticks.count()).toBe(all - 100);
    const dropOther = () => {
      const ids = [cloud.receiveAll("DeadLetterQueue").at(-1)?.messageId];
      return console.post("/api/queues/dead-letters/drop", { picked: { ids }, expected: 1 });
    };
    await press(page, `Drop all (${all})`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Type/).fill(String(all));
    await dropOther();
    await press(dialog, "Delete for good");
    await expectText(dialog, /Nothing was changed/);
    await expectAccessible(page);
    await press(dialog, "Dismiss");
    await press(dialog, "Cancel");
    await expect.poll(() => ticks.count()).toBe(all - 101);

    await ticks.first().check();
    await ticks.nth(1).check();
    const words = (await ticks.first().getAttribute("aria-label")) ?? "";
    const ids = [words.split(" ").at(-1)];
    await console.post("/api/queues/dead-letters/drop", { picked: { ids }, expected: 1 });
    await expect.poll(() => ticks.count()).toBe(all - 102);
    await press(page, /^Drop selected/);
    await press(dialog, "Delete for good");
    await expectText(dialog, /^1 of 2\. 1 could not be read/);
    await dialog.getByText("Close", { exact: true }).click();
    await expectShown(page.getByRole("button", { name: `Drop all (${all - 3})` }));

    const rest = cloud.receiveAll("DeadLetterQueue").slice(0, all - 53);
    const picked = { ids: rest.map(({ messageId }) => messageId) };
    await console.post("/api/queues/dead-letters/drop", { picked, expected: all - 53 });
    await expect.poll(() => ticks.count()).toBe(50);
  });

  it.runIf(isNight)("is accessible and fits every screen", async () => {
    const page = await console.open("#/queues/dead-letters");
    await page.getByRole("link", { name: "message_sent" }).first().click();
    await expectText(page.getByRole("region", { name: "Message", exact: true }), "Counted tries");
    await expectGoodLooks(page, "queues");
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "light" });
    await follow(page, "Parked lanes");
    await expectText(page, "No conversation is parked");
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await follow(page, "Quarantine");
    await expectText(page, "1 of 1");
    await expectGoodLooks(page, "queues-list");
  });
});
