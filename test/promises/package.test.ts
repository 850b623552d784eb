import { expect, it, onTestFinished } from "vitest";
import { expectShown, hasBrowser, useBrowser } from "../helpers/browser.ts";
import { makeApp, startApp } from "../helpers/made-app.ts";

const browser = useBrowser();

it("starts an app made from the packed file: a message gets its reply, the console shows it, its own function answers", async () => {
  const app = await makeApp();
  onTestFinished(() => app.remove());
  const started = startApp(app);

  const told = await started.until("the reply appears");
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

  expect(told).toContain("message 2, sent on behalf of support");
  expect(files.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([answer.status, await answer.json()]).toEqual([200, { id: "3" }]);
  expect(log).not.toContain("only-here");
});
