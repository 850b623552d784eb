import { expect, it } from "vitest";
import {
  describeInBrowser,
  expectAccessible,
  expectGoodLooks,
  expectShown,
  useBrowser,
} from "../helpers/browser.ts";
import { useConsole } from "../helpers/use-console.ts";

const { at, ask } = useConsole();
const browser = useBrowser();

const longName = "Maximiliane-Konstantina von und zu Hohenstein-Wolkenburg-Schattenfels der Ältesten Linie";

describeInBrowser("the users and groups of the World view", () => {
  it("makes a user, tells a taken uid at its field, and changes, deactivates and deletes one", async () => {
    // Whom it has deleted its page may look for once more, before it leaves.
    const page = await browser.open(at("/#/world/users"), { expected: /40[04]/ });
    await page.getByRole("button", { name: "New user" }).click();
    const dialog = page.getByRole("dialog", { name: "New user" });
    await dialog.getByLabel("UID").fill("alice");
    await dialog.getByLabel("Name").fill(longName);
    await dialog.getByRole("button", { name: "Create user" }).click();
    await expectShown(dialog.getByText("The UID alice already exists"));
    await expectAccessible(page);

    await dialog.getByLabel("UID").fill("zoe");
    await dialog.getByRole("button", { name: "Create user" }).click();
    await page.getByRole("link", { name: longName }).click();
    const profile = page.getByRole("form", { name: "Profile" });
    await profile.getByLabel("Metadata").fill("{");
    await profile.getByRole("button", { name: "Save" }).click();
    await expectShown(profile.getByText("Metadata must be a JSON object."));
    await profile.getByLabel("Metadata").fill('{ "plan": "gold" }');
    await profile.getByLabel("Tags").fill("vip, beta");
    await profile.getByLabel("Name").fill("Zoë");
    await profile.getByRole("button", { name: "Save" }).click();
    await expectShown(page.getByRole("heading", { name: "Zoë" }));
    await page.getByRole("button", { name: "Come online" }).click();
    await expectShown(page.getByRole("button", { name: "Go offline" }));
    await page.getByRole("textbox", { name: "Block" }).fill("alice");
    await page.getByRole("button", { name: "Block", exact: true }).click();
    await expectShown(page.getByRole("region", { name: "Blocked (1)" }));
    await page.getByRole("button", { name: "Create a token" }).click();
    await expectShown(page.getByRole("region", { name: "Auth tokens (1)" }));
    expect(await ask("/api/chat/local-app/users/zoe")).toMatchObject({
      body: { data: { name: "Zoë", tags: ["vip", "beta"], metadata: { plan: "gold" }, status: "available" } },
    });
    await expectAccessible(page);
    await expectGoodLooks(page, "world-user");

    await page.getByRole("button", { name: "Deactivate" }).click();
    await expectShown(page.getByRole("button", { name: "Reactivate" }));
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expectShown(page.getByRole("table", { name: "Users" }));
    expect(await ask("/api/chat/local-app/users/zoe")).toMatchObject({ status: 404 });
  });

  it("makes a group, and adds, promotes, kicks, bans and unbans its members", async () => {
    const page = await browser.open(at("/#/world/groups"), { expected: /400/ });
    await page.getByRole("button", { name: "New group" }).click();
    const dialog = page.getByRole("dialog", { name: "New group" });
    await dialog.getByLabel("GUID").fill("crew");
    await dialog.getByLabel("Owner").fill("bob");
    await dialog.getByLabel("Name").fill("طاقم السفينة الكبيرة");
    await dialog.getByLabel("Type").selectOption("password");
    await dialog.getByRole("button", { name: "Create group" }).click();
    await expectShown(dialog.getByText("A group of type password needs a password."));
    await dialog.getByLabel("Password").fill("sesame");
    await dialog.getByRole("button", { name: "Create group" }).click();
    await page.getByRole("link", { name: "crew" }).click();

    const add = page.getByRole("form", { name: "Add members" });
    await add.getByLabel("Add members").fill("alice, support, nobody-at-all");
    await add.getByLabel("As").selectOption("moderator");
    await add.getByRole("button", { name: "Add" }).click();
    await expectShown(add.getByText("The UID nobody-at-all does not exist"));
    await page.getByLabel("Scope of Alice Nguyen").selectOption("admin");
    await expectShown(page.getByText("Alice Nguyen is now admin."));
    await page.getByRole("button", { name: "Make owner: Alice Nguyen" }).click();
    await expectShown(page.getByText("alice · owner"));
    await expectGoodLooks(page, "world-group");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Kick Bob Okafor" }).click();
    await page.getByRole("button", { name: "Ban Support Team" }).click();
    await page.getByRole("button", { name: "Unban Support Team" }).click();
    await expectShown(page.getByRole("region", { name: "Banned (0)" }));
    const members = async () => (await ask("/api/chat/local-app/groups/crew/members")).body;
    await expect.poll(members).toMatchObject({ data: [{ uid: "alice", scope: "admin" }] });
  });

  it("stays in the app that was chosen", async () => {
    await ask("/api/management/apps", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Second", region: "eu" }),
    });
    const { body: facts } = await ask("/api/facts");
    const { appId } = JSON.parse(JSON.stringify(facts)).apps.find(
      ({ name }: { name: string }) => name === "Second",
    );
    await ask(`/api/chat/${appId}/users`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uid: "eve", name: "Eve" }),
    });

    const page = await browser.open(at("/#/world/users"));
    await page.getByRole("combobox", { name: "App", exact: true }).selectOption(appId);
    await page.getByRole("link", { name: "Eve" }).click();
    await expectShown(page.getByRole("heading", { name: "Eve" }));
    await page.getByRole("link", { name: "← Users" }).click();
    await expectShown(page.getByText("1–1 of 1"));
    await page.getByRole("link", { name: "Webhooks" }).click();
    await expectShown(page.getByText("No webhooks"));
    await expectGoodLooks(page, "world-empty");
    await expectAccessible(page);
  });
});
