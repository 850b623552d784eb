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
import { usePages } from "../helpers/use-pages.ts";

const console = usePages();

describeInBrowser("the calls", () => {
  it("shows each new call; filters, opens, copies and repeats it", async () => {
    await console.say("alice", "bob", "A first word, with “quotes”, 🙂 and مرحبا");
    const page = await console.open("#/calls", { expected: /404/ });
    const first = page.getByRole("link", { name: "POST /messages" }).first();
    await expectShown(first);

    await console.ask("/api/chat/local-app/users/nobody-at-all");
    await expectText(page, "ERR_UID_NOT_FOUND");

    await page.getByLabel("Answer").selectOption("failed");
    await expectShown(page.getByText("1 of", { exact: false }));
    await page.getByLabel("Answer").selectOption("");
    await expectShown(first); // of another filter's rows, a click could hit one that moves
    await page.getByLabel("Search calls").fill("A first word");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);

    await first.click();
    const pane = page.getByRole("region", { name: "Call", exact: true });
    await expectShown(pane.getByText("documented", { exact: true }));
    await expectShown(pane.getByRole("region", { name: "Request body" }));
    await expectAccessible(page);

    await follow(pane, "Repeat");
    await expectText(page, /^await chat.messages.send\(\{\n {2}receiver: "bob"/);
    await page.getByLabel("onBehalfOf").fill("bob");
    await press(page, "Send", exact);
    await expectShown(page.getByText("200", { exact: true }));
    await page.goto(console.at("/#/calls?text=A%20first%20word"));
    await page.getByLabel("As user").selectOption("bob");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
  });

  it("links a call to the deliveries that it caused", async () => {
    await console.say("alice", "bob", "Which delivery is mine?");
    const page = await console.open("#/calls?text=Which%20delivery");
    await follow(page, "POST /messages");
    await follow(page, "1 delivery");

    await expectText(page.getByRole("row"), "Which delivery is mine?");
    await expectText(page, "1–1 of 1");
  });

  it("repeats a call without its hidden secrets, and shows a note", async () => {
    const group = { guid: "vault", name: "Vault", type: "password", password: "open sesame" };
    await console.post("/api/chat/local-app/groups", group);
    const page = await console.open("#/calls?operation=create-group");
    await follow(page, "POST /groups");
    await follow(page, "Repeat");

    await expectText(page, /^Secrets of the call are not kept/);
    expect(await page.getByLabel("name", { exact: true }).inputValue()).toBe("Vault");
    expect(await page.getByLabel("password", { exact: true }).inputValue()).toBe("");
  });

  it("adds no rows while paused, and shows the number of new calls", async () => {
    const page = await console.open("#/calls");
    await expectShown(page.getByRole("link", { name: "POST /messages" }).first());
    await press(page, "Pause");
    const before = await page.getByRole("row").count();
    await console.say("alice", "bob", "While it is paused");
    await press(page, /Resume \(\d+ new\)/);
    await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(before);
  });

  it.runIf(isNight)("is accessible and fits every screen, with an open call and many others", async () => {
    for (let count = 0; count < 120; count += 1)
      await console.say(count % 3 === 0 ? "alice" : "support", "bob", `Message ${count}`);
    const page = await console.open("#/calls");
    await press(page, "Next");
    await expectShown(page.getByRole("button", { name: "Resume" }));
    await press(page, "Previous");
    await expectGoodLooks(page, "calls");
    await page.getByRole("link", { name: "POST /messages" }).first().click();
    await expectText(page.getByRole("region", { name: "Call", exact: true }), "documented");
    await expectGoodLooks(page, "call");
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page);
  });
});
