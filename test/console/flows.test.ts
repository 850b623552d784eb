import { expect, it } from "vitest";
import {
  describeInBrowser,
  exact,
  expectAccessible,
  expectGoodLooks,
  expectShown,
  expectText,
  follow,
  press,
} from "../helpers/browser.ts";
import { isNight } from "../helpers/by-day.ts";
import { copyWithFlows, flowsCloud } from "../helpers/flows-project.ts";
import { usePages } from "../helpers/use-pages.ts";

const folder = await copyWithFlows();
const console = usePages({ cloud: flowsCloud(folder) });
const world = () => console.world;

function start(flow: string, input: object) {
  return console.post("/api/flows", { flow, appId: "local-app", input });
}

describeInBrowser("the view Flows", () => {
  it("starts a flow, skips its wait, sends the event that it waits for, and fits every screen", async () => {
    const page = await console.open("#/flows");
    await expectText(page, "No flow has run yet");
    await follow(page, "Start a flow");
    await page.getByLabel("uid", { exact: true }).fill("alice");
    const what = `أحمد ${"a-very-long-word-".repeat(20)} 🍵`;
    await page.getByLabel("what", { exact: true }).fill(what);
    await expectAccessible(page);
    await press(page, "Start", exact);

    const flow = page.getByRole("region", { name: "Flow remind" });
    const endWait = flow.getByRole("button", { name: "End the wait" });
    await expectShown(endWait);
    await expectGoodLooks(page, "flow");
    await endWait.click();
    await expectText(flow, "sender “alice”, text a text with “stop”");
    // The button is gone.
    await expect.poll(() => flow.evaluate((part) => part.contains(document.activeElement))).toBe(true);
    await expectAccessible(page);
    await press(flow, "Create the event …");
    await expectShown(page.getByRole("heading", { name: "message_sent" }));
    expect(await page.getByLabel("data.message.sender", { exact: true }).inputValue()).toBe("alice");
    await press(page, "Send", exact);
    await follow(page, "Flows");
    await expectShown(page.getByRole("row", { name: /remind.*succeeded/ }));
    await expectGoodLooks(page, "flows");
  });

  it.runIf(isNight)("counts from the local stack's time after the clock was moved", async () => {
    await world().clock?.moveTo(() => (world().clock?.now() ?? 0) + 26 * 3_600_000);
    const { id } = Object(await start("remind", { uid: "support", what: "lunch" }));
    const page = await console.open(`#/flows/${id}?search=lunch`);

    await expectShown(page.getByRole("row", { name: /remind.*in 3 days/ }));
    await expectText(page.getByRole("region", { name: "Flow remind" }), /^until .*, in 3 days$/);
  });

  it.runIf(isNight)("cancels with a reason, filters by state, and shows many steps", async () => {
    await start("remind", { uid: "bob", what: "tea" });
    const page = await console.open("#/flows?search=bob");
    await follow(page, "remind");
    await press(page, "Cancel …");
    await page.getByLabel("Reason").fill("not wanted any more");
    await expectAccessible(page);
    await press(page, "Cancel the flow");
    await expectShown(page.getByText("FlowCancelled: Cancelled by hand: not wanted any more").last());

    await start("breaks", { count: 1 });
    await start("long", { steps: 120 });
    await page.goto(console.at("/#/flows"));
    await press(page, /^failed/);
    await follow(page, "breaks");
    await expectText(page, /functions\/own\/remind\.ts:\d+/);
    await press(page, /^failed/);
    await follow(page, "long");
    const flow = page.getByRole("region", { name: "Flow long" });
    await expectText(flow, "Parallel branches, the first one wins");
    await press(flow, "Show 22 earlier steps of 22");
    await flow.locator("summary").filter({ hasText: "large" }).click();
    await press(flow, "Show all of Result, 200 kB");
  });
});
