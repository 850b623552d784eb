import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf, copyProject, type DeployedCopy, deployCopy, removeCopy } from "../helpers/project-copy.ts";
import { runVitest } from "../helpers/run-vitest.ts";

const root = join(import.meta.dirname, "../..");
const bin = (name: string) => join(root, "node_modules/.bin", name);
const run = promisify(execFile);
const { "functions/own/functions.yml": declared = "", ...sources } = blocksOf("docs/add-a-function.md");

/** What the page says of a schedule's declaration, for the page's own schedule. */
const scheduled = `
tidyUp:
  handler: functions/own/tidy-up.handler
  rights: [readSecrets]
  events:
    - schedule: cron(0 4 * * ? *)
`;

describe("docs/add-a-function.md, written into a copy of the project", () => {
  let folder: string;
  let copy: DeployedCopy;

  beforeAll(async () => {
    folder = copyProject({ ...sources, "functions/own/functions.yml": declared + scheduled });
    copy = await deployCopy(folder, { shopUsername: "shop", shopPassword: "a-long-password" });
  });
  afterAll(async () => {
    await copy?.close();
    removeCopy(folder);
  });

  it("compiles", async () => {
    const tsconfig = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const files = ["config/modules.d.ts", ...Object.keys(sources)];
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...tsconfig, include: undefined, files }));

    const outcome = await run(bin("tsc"), ["-p", folder]).catch((error: { stdout: string }) => error);

    expect(outcome.stdout).toBe("");
  });

  it("passes its own tests", async () => {
    const outcome = await runVitest(folder, ["test/unit/own"]);

    expect(outcome).toMatchObject({ passed: 2, failed: [] });
  }, 600_000);

  it("tells the group what the shop says, and refuses everybody else", async () => {
    const post = async (password: string, body: object) => {
      const answer = await fetch(`${copy.cloud.httpUrl}/notify/local-app`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`shop:${password}`)}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return [answer.status, JSON.parse(await answer.text())];
    };
    const note = { group: "lobby", text: "Order 7 is on its way." };

    const [status, { id }] = await post("a-long-password", note);

    expect(status).toBe(200);
    const message = await fetch(`${copy.platform.appUrl("local-app")}/messages/${id}`, {
      headers: { apikey: copy.app.fullAccessKey },
    });
    expect(JSON.parse(await message.text()).data).toMatchObject({
      sender: "support",
      data: { text: note.text },
    });
    expect(await post("wrong", note)).toMatchObject([401, { error: { code: "unauthorized" } }]);
    expect(await post("a-long-password", { group: 5 })).toMatchObject([
      400,
      { error: { code: "body_invalid" } },
    ]);
  });

  it("runs the schedule for the app", async () => {
    const { payload } = await copy.cloud.invoke("tidyUp", {});

    expect(payload).toEqual({ apps: [{ appId: "local-app", result: { empty: 0 } }] });
  });
});
