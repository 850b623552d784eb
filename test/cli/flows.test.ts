import { beforeAll, describe, expect, it, vi } from "vitest";
import { createFlowActions } from "../../local/console/routes/flows-routes.ts";
import { copyWithFlows, flowsCloud } from "../helpers/flows-project.ts";
import { expectEnd } from "../helpers/run-chat.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";

const folder = await copyWithFlows();
useChat({ cloud: flowsCloud(folder) });

describe("flows", () => {
  let remind: string;
  let listening: string;
  beforeAll(async () => {
    const { start } = createFlowActions(world);
    const of = { appId: "local-app", region: "us", waitsFor: [] };
    ({ id: remind } = await start({
      ...of,
      flow: "remind",
      waitsFor: ["message_sent"],
      input: { uid: "alice", what: "a secret wish" },
    }));
    ({ id: listening } = await start({ ...of, flow: "long", input: { steps: 0 } }));
    const showsWait = async () =>
      expect((await chat(`flows ${listening} --local`)).stdout).toMatch(/wait started/);
    await vi.waitFor(showsWait, { timeout: 60_000 });
  });

  it("lists those that run, and shows one with its steps, with its input only where that is asked for", async () => {
    const listed = await chat("flows --local --json");
    const shown = await chat(`flows ${remind} --local`);
    const all = await chat(`flows ${remind} --local --with-content`);

    const flows = [remind, listening].map((id) => expect.objectContaining({ id, status: "RUNNING" }));
    expect(listed.json).toEqual([{ flows: expect.arrayContaining(flows) }]);
    expectEnd(
      shown,
      0,
      "remind of app local-app, RUNNING",
      `flows --local ${remind} --cancel`,
      /step succeeded +greet/,
    );
    expect(shown.stdout).not.toContain("secret wish");
    expect(all.stdout).toContain("a secret wish");
  });

  it("does not call the newest all", async () => {
    expectEnd(await chat("flows --local --limit 1"), 0, /^the newest 1 flow, RUNNING\n/, "--limit");
    expectEnd(await chat("flows --local"), 0, /^2 flows, RUNNING\n/);
  });

  it("cancels one: at once, or, where it listens, at the second time", async () => {
    expectEnd(await chat(`flows ${remind} --cancel --local --yes`), 0, `The flow ${remind} is stopped.`);
    expectEnd(
      await chat(`flows ${remind} --cancel --local --yes`),
      3,
      `The flow ${remind} has ended already.`,
    );
    expectEnd(await chat(`flows ${listening} --cancel --local --yes`), 0, "is asked to end, and cleans up");
    await expect
      .poll(async () => (await chat("flows --local --status SUCCEEDED")).stdout)
      .toContain(listening);
    expectEnd(await chat("flows --local --status STOPPED"), 0, remind);
  });

  it("says that there is no such flow", async () => {
    expectEnd(await chat("flows remind_0 --local"), 6, 'There is no flow "remind_0".');
    expectEnd(await chat("flows remind_0 --cancel --local --yes"), 6, 'There is no flow "remind_0".');
  });
});
