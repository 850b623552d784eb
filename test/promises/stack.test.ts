import { expect, it } from "vitest";
import { describeInBrowser, expectShown, useBrowser } from "../helpers/browser.ts";
import { deliver, messageSent } from "../helpers/deliver.ts";
import { useConsole } from "../helpers/use-console.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const console = useConsole();
const browser = useBrowser();

it("answers a webhook once through the deployed bundles, although it is delivered three times", async () => {
  const { platform, cloud, app } = console.world;
  const body = messageSent({ id: "77", sender: "alice", text: "What is the price?" });

  const answers = await Promise.all([1, 2, 3].map(() => deliver(console.world, body)));
  const refused = await deliver(console.world, body, { authorization: null });
  await cloud.drained();

  const response = await fetch(`${platform.appUrl(app.appId)}/messages?sender=support&limit=100`, {
    headers: { apikey: app.fullAccessKey },
  });
  const { data: replies } = JSON.parse(await response.text());
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(refused.status).toBe(401);
  expect(replies).toMatchObject([
    { receiver: "alice", data: { text: expect.stringContaining("prices"), metadata: { automatic: true } } },
  ]);
});

describeInBrowser("the console", () => {
  it("shows the path from a message to its reply", async () => {
    const messageId = await writeToSupport(console.world, "And what is the price of two?");
    const page = await browser.open(console.at(`/#/journeys?message=${messageId}`));

    const journey = page.getByRole("region", { name: "Journey", exact: true });
    await expectShown(journey.getByRole("heading", { name: "message_sent acted" }));
    await expectShown(journey.getByText("effect reply done now"));
  });
});
