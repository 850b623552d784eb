import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectShown, hasBrowser, useBrowser } from "../helpers/browser.ts";
import { isNight } from "../helpers/by-day.ts";
import { editFile } from "../helpers/edit-file.ts";
import { type MadeApp, makeApp, startApp } from "../helpers/made-app.ts";

const browser = useBrowser();

describe("an app that init makes", { timeout: 900_000 }, () => {
  let app: MadeApp;
  beforeAll(async () => {
    app = await makeApp();
  }, 900_000);
  afterAll(() => app.remove());

  it("gets mistakes in its code and its files reported with their place", async () => {
    const edit = (file: string, change: (text: string) => string) => editFile(join(app.folder, file), change);

    edit("functions/own/triggers.ts", (text) => `${text}export const more = {\n`);
    edit("functions/own/functions.yml", (text) => text.replace("tell-user.handler", "tell-usr.handler"));
    edit("serverless.yml", (text) => `${text}custom: [\n`);
    const { code, output } = await app.run("cometchat-functions", "config");

    expect(code).toBe(1);
    expect(output).toMatch(/functions\/own\/triggers\.ts:\d+:\d+/);
    expect(output).toContain("tellUser: there is no functions/own/tell-usr.ts");
    expect(output).toMatch(/^serverless\.yml:\d+:\d+: /m);
    expect(output).not.toContain("lacks");
  });

  it("starts: a message gets its reply in the console, its own function answers, and edits are applied", async () => {
    const started = startApp(app);
    const reply = await started.until("the reply appears");
    const addresses = await started.until("Ctrl-C ends everything");
    const [, address] = /Own functions +(\S+)/.exec(addresses) ?? [];
    const [url = ""] = /http:\S+(?= +everything that happens)/.exec(addresses) ?? [];
    const files = await Promise.all(["", "main.js", "main.css"].map((name) => fetch(`${url}${name}`)));
    if (hasBrowser) {
      const page = await browser.open(`${url}#/journeys`);
      await expectShown(page.getByRole("main", { name: "Journeys" }).getByText("Hello, is anybody there?"));
    }
    const answer = await fetch(`${address}/tell-user/local-app`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("shop:only-here")}` },
      body: JSON.stringify({ uid: "alice", text: "Your order is on its way." }),
    });
    const log = await started.until("sent a user a message");
    write(app, "functions/own/triggers.ts", greetingTriggers);
    await started.until("Reloaded");
    await writeMessage(addresses);
    await started.until("greeted alice");
    write(app, "config/replies.yml", "rules:\n  - reciever: support\n    text: Hello\n");
    const mistake = await started.until("config/replies.yml:2:");

    expect(reply).toContain("message 2, sent on behalf of support");
    expect(files.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([answer.status, await answer.json()]).toEqual([200, { id: "3" }]);
    expect(log).not.toContain("only-here");
    expect(mistake).toContain("reciever");
  });

  it("uses the package's file for one missing from config/ and functions/own/", async () => {
    rmSync(join(app.folder, "config/replies.yml"));
    rmSync(join(app.folder, "functions/own/config-schemas.ts"));
    const { code, output } = await app.run("cometchat-functions", "config");

    expect(output).toContain("All of config/ fits");
    expect(code).toBe(0);
  });

  it.runIf(isNight)("reports missing packages, and the command that installs them", async () => {
    rmSync(join(app.folder, "node_modules/esbuild")); // a link
    const { code, output } = await app.run("cometchat-functions", "start", "--port", "0");

    expect(output).toContain("npm install --save-dev esbuild@");
    expect(code).toBe(1);
  });
});

const greetingTriggers = `
import { onTrigger, type TriggerTable } from "cometchat-functions/triggers";

export const ownTriggers: TriggerTable = {
  "missed-call": onTrigger("message_sent", async ({ event, log }) => {
    log.info(\`greeted \${event.message.sender}\`, { appId: event.head.appId });
  }),
};
`;

function write({ folder }: MadeApp, file: string, text: string) {
  writeFileSync(join(folder, file), text);
}

/** Sends the request that `npm start` shows as curl. */
async function writeMessage(told: string) {
  const [, address = "", apiKey = ""] = /curl -s (\S+) -H 'apikey: (\w+)'/.exec(told) ?? [];
  const response = await fetch(address, {
    method: "POST",
    headers: { apikey: apiKey, onBehalfOf: "alice", "content-type": "application/json" },
    body: JSON.stringify({
      receiver: "support",
      receiverType: "user",
      type: "text",
      data: { text: "Hello" },
    }),
  });
  if (!response.ok) throw new Error(`The platform answered ${response.status}.`);
}
