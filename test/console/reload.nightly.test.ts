import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { checkDrift } from "../../cli/doctor/check-drift.ts";
import { remediesFor } from "../../lib/operate/doctor/remedies.ts";
import type { ReloadAnswer } from "../../local/console/api/reload.ts";
import { describeInBrowser, expectShown, expectText } from "../helpers/browser.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { expectGood, usePages } from "../helpers/use-pages.ts";

const folder = copyProject({});
afterAll(() => removeCopy(folder));
const console = usePages({ cloud: { reload: true, serviceFolder: folder } });

const trigger = join(folder, "functions/triggers/index.ts");
const source = readFileSync(trigger, "utf8");

describeInBrowser("an edit of the functions' source", () => {
  it("is shown with its place while it cannot run, and as live once corrected", async () => {
    const page = await console.open("");
    await expectShown(page.getByText("live", { exact: true }));

    writeFileSync(trigger, `${source}\nconst broken = ;\n`);

    const banner = page.getByRole("region", { name: "Edit with errors" });
    await expectText(banner, /^functions\/triggers\/index\.ts:\d+:16$/);
    await expectText(banner, "const broken = ;");
    await expectText(banner, "The previous code continues to run");
    await expectGood(page, "reload");

    writeFileSync(trigger, `${source}\nconsole.log("edited");\n`);

    await expectText(page, /^edit live in \d+\.\d\d s$/);
    await banner.waitFor({ state: "hidden" });
  });

  it("that fails to load is shown with the function and the stack in its source", async () => {
    const page = await console.open("#/stack");

    writeFileSync(trigger, `${source}\nthrow new Error("no such luck");\n`);

    const banner = page.getByRole("region", { name: "Edit with errors" });
    await expectText(banner, /processEvents.* cannot load: Error: no such luck/);
    await expectShown(banner.getByText('throw new Error("no such luck");'));
    writeFileSync(trigger, source);
    await banner.waitFor({ state: "hidden" });
    expect(await console.ask("/api/reload")).toMatchObject({
      status: 200,
      body: { state: "live", problems: [] },
    });
  });

  /** As `doctor --local` shows it. */
  const driftFound = async () => {
    const served = { appIds: [], triggers: [], flows: [], needs: [], canaries: [] };
    const target = { kind: "local", consoleUrl: console.at("") } as const;
    return await checkDrift(served, served, target, remediesFor("--local"), new AbortController().signal);
  };

  it("of the configuration is shown without the previous edit's mistakes", async () => {
    const own = join(folder, "functions/own/triggers.ts");
    const file = join(folder, "config/triggers.yml");
    const text = readFileSync(file, "utf8");
    const told = async () => {
      const { state, problems } = await console.answer<ReloadAnswer>("/api/reload");
      return state === "broken" ? problems.map((problem) => problem.text) : [state];
    };

    // Names are not compared before they are loaded.
    writeFileSync(own, "export const ownTriggers = Object.fromEntries([]);\n");
    writeFileSync(file, text.replace(/^local:.*$/m, "local: missed-cal"));
    await expect.poll(told).toContainEqual(expect.stringContaining("missed-cal"));
    writeFileSync(file, text.replace(/^local:/m, "locl:"));

    await expect.poll(told).toEqual([expect.stringContaining("locl")]);
    const found = await driftFound();
    writeFileSync(file, text);
    await expect.poll(told).toEqual(["live"]);
    expect(found).toEqual({
      status: "wrong",
      says: expect.stringMatching(
        /^The local stack refuses the latest edit, and still runs the code from before: .*locl/,
      ),
      remedy: "npm run config",
    });
    expect(await driftFound()).toMatchObject([{ status: "ok" }]);
  });
});
