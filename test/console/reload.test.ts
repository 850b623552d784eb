import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import {
  describeInBrowser,
  expectAccessible,
  expectGoodLooks,
  expectShown,
  useBrowser,
} from "../helpers/browser.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { useConsole } from "../helpers/use-console.ts";

const folder = copyProject({});
afterAll(() => removeCopy(folder));
const { at, ask } = useConsole({ cloud: { reload: true, serviceFolder: folder } });
const browser = useBrowser();

const trigger = join(folder, "functions/triggers/index.ts");
const source = readFileSync(trigger, "utf8");

describeInBrowser("an edit of the functions' source", () => {
  it("is told with its place while it cannot run, and as live when it is mended", async () => {
    const page = await browser.open(at("/"));
    await expectShown(page.getByText("live", { exact: true }));

    writeFileSync(trigger, `${source}\nconst broken = ;\n`);

    const banner = page.getByRole("region", { name: "Edit with errors" });
    await expectShown(banner.getByText(/^functions\/triggers\/auto-reply\.ts:\d+:16$/));
    await expectShown(banner.getByText("const broken = ;"));
    await expectShown(banner.getByText("The previous code continues to run"));
    await expectAccessible(page);
    await expectGoodLooks(page, "reload");

    writeFileSync(trigger, `${source}\nconsole.log("edited");\n`);

    await expectShown(page.getByText(/^edit live in \d+\.\d\d s$/));
    await banner.waitFor({ state: "hidden" });
  });

  it("that fails when it is loaded is told with the function and the stack in its source", async () => {
    const page = await browser.open(at("/#/world"));

    writeFileSync(trigger, `${source}\nthrow new Error("no such luck");\n`);

    const banner = page.getByRole("region", { name: "Edit with errors" });
    await expectShown(banner.getByText(/processEvents.* not load: Error: no such luck/));
    await expectShown(banner.getByText('throw new Error("no such luck");'));
    writeFileSync(trigger, source);
    await banner.waitFor({ state: "hidden" });
    expect(await ask("/api/reload")).toMatchObject({ status: 200, body: { state: "live", problems: [] } });
  });
});
