import type { Page } from "playwright-core";
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
import { copied, usePages } from "../helpers/use-pages.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const console = usePages();

describeInBrowser("the chat view", () => {
  it("sends a message as one user and shows it to another side by side", async () => {
    const page = await console.open("#/chat");
    await press(page, /Alice Nguyen/);
    await expectText(page, "No conversation is open");
    await press(page, "New", exact);
    const dialog = page.getByRole("dialog", { name: "New conversation" });
    await expectAccessible(page);
    await press(dialog, /Bob Okafor/);
    await expectText(page, "No messages yet");

    await write(page.getByRole("region", { name: "First user" }), "alice", "Hello Bob");
    await press(page, "Second user");
    const [first, second] = sides(page);
    await press(second, /Bob Okafor/);
    await press(second, /Alice Nguyen.*Hello Bob/);
    await write(second, "bob", "Hi Alice\nhow are you?");

    await expectText(first.getByRole("article"), "how are you?");
    await expectText(first, /^read/);
    expect(page.url()).toMatch(/#\/chat\/alice\/alice_user_bob\?beside=bob%2Falice_user_bob$/);
    await page.reload();
    await expectText(second.getByRole("article"), "Hello Bob");
    await expectAccessible(page);
  });

  it("marks messages as read once a conversation is chosen, and only while the option is on", async () => {
    const write = (text: string) => writeToSupport(console.world, text);
    const page = await console.open("#/chat/support");
    const reads: string[] = [];
    page.on("request", (request) => request.url().endsWith("/read") && reads.push(request.url()));
    await write("Is anybody there?");
    await press(page, /Alice Nguyen/);
    await expect.poll(() => reads.length).toBeGreaterThan(0);
    const isOn = page.getByRole("button", { name: "Mark visible messages as read" });
    await isOn.click();
    const marked = reads.length; // The automatic answer may have been marked, too.
    await write("Hello?");
    await expectText(page.getByRole("article"), "Hello?");
    expect(reads).toHaveLength(marked);

    await isOn.click();

    await expect.poll(() => reads.length).toBeGreaterThan(marked);
  });

  it.runIf(isNight)("reacts, quotes, edits, deletes, flags, answers in a thread, and copies", async () => {
    const id = await console.say("bob", "support", "A message to work with");
    const page = await console.open("#/chat/support/bob_user_support?beside=bob/bob_user_support");
    const [support, bob] = sides(page);
    const act = async (side: Side, name: string) => {
      await press(side, `More for message ${id}`);
      const menu = page.getByRole("region", { name: `Message ${id}` });
      await menu.getByRole("button", { name }).click();
    };

    await press(support, `React to message ${id}`);
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expectShown(bob.getByRole("button", { name: "🎉, 1" }));
    await support.getByRole("button", { name: "🎉, 1", pressed: true }).click();
    await bob.getByRole("button", { name: "🎉, 1" }).waitFor({ state: "detached" });

    await act(support, "Quote");
    await write(support, "support", "An answer to it");
    await expectShown(bob.getByRole("article").filter({ hasText: "An answer to it" }).locator("blockquote"));

    await act(support, "Flag…");
    await page.getByRole("dialog").getByLabel("Remark").fill("odd");
    await expectAccessible(page);
    await press(page.getByRole("dialog"), "Flag");
    await expectText(page, `Message ${id} is flagged.`);

    await act(support, "Reply in thread");
    const thread = support.getByRole("complementary", { name: `Thread of message ${id}` });
    await expect
      .poll(() =>
        page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.innerText"),
      )
      .toBe("Reply as support");
    await page.keyboard.type("In the thread");
    await page.keyboard.press("Enter");
    await expectText(thread.getByRole("article"), "In the thread");
    await expectAccessible(page);
    await press(thread, "Close the thread");
    await expectShown(support.getByRole("button", { name: "1 reply" }));

    const body = { category: "message", type: "text", data: { text: "A reply to go to" } };
    const answer = await console.post(`/api/chat/local-app/messages/${id}/thread`, body, "bob");
    const reply = String(Object(answer).data.id);
    const link = await console.open(`#/chat/support/bob_user_support?message=${reply}`);
    await expectText(link.getByRole("complementary"), "A reply to go to");

    await bob.getByLabel("Write as bob").fill("A draft");
    await act(bob, "Edit");
    await act(bob, "Quote");
    await expect.poll(() => bob.getByLabel("Write as bob").inputValue()).toBe("A draft");
    await bob.getByLabel("Write as bob").fill("");
    await act(bob, "Edit");
    await expect.poll(() => bob.getByLabel("Write as bob").inputValue()).toBe("A message to work with");
    await bob.getByLabel("Write as bob").fill("A message that was changed");
    await page.keyboard.press("Enter");
    await expectText(support.getByRole("article"), "A message that was changed");

    await act(bob, "Copy JSON");
    await expectText(page, "Copied.");
    const text = await copied(page);
    expect(JSON.parse(text)).toMatchObject({ id, sender: "bob" });
    await page.keyboard.press("Escape");

    await act(bob, "Delete");
    await expectText(support.getByRole("article", { name: new RegExp(`message ${id}$`) }), "Message deleted");
  });

  it("completes a mention from the beginning of a name, and links a message to its journey", async () => {
    const page = await console.open("#/chat/bob/alice_user_bob");
    await page.getByLabel("Write as bob").fill("Ask @sup");
    await page.getByLabel("Write as bob").press("End");
    await expectShown(
      page.getByRole("list", { name: "Mention" }).getByRole("button", { name: /Support Team/ }),
    );
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const message = page.getByRole("article").filter({ hasText: "Ask @Support Team" });
    await expectShown(message);
    const id = /\d+$/.exec((await message.getAttribute("aria-label")) ?? "")?.[0];
    await press(page, `More for message ${id}`);
    await follow(page, "Journey", exact);

    await expect.poll(() => page.url()).toContain(`#/journeys?message=${id}`);
  });

  it("sends files, shows images, and offers other files for download", async () => {
    const page = await console.open("#/chat/alice/alice_user_support");
    const [alice] = sides(page);
    await alice.getByLabel("Attach files").setInputFiles([
      { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(dot, "base64") },
      { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<script>alert(1)</script>") },
    ]);
    await write(alice, "alice", "two files");

    const image = alice.getByRole("img", { name: "dot.png" });
    await expectShown(image);
    await expect.poll(() => image.evaluate((element) => Reflect.get(element, "naturalWidth"))).toBe(1);
    const link = await alice.getByRole("link", { name: /page\.html/ }).getAttribute("href");
    const file = await fetch(console.at(link ?? ""));
    // A page that a user sent must not act as the console's own.
    expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(file.headers.get("content-security-policy")).toBe("sandbox");
  });

  it.runIf(isNight)("shows a group's content only to its members", async () => {
    const page = await console.open("#/chat/support/group_crew?beside=bob/group_crew", {
      expected: /status of 40[0-9]/,
    });
    const [support, bob] = sides(page);
    await expectText(support, "ERR_GUID_NOT_FOUND");
    await press(support, "New", exact);
    const dialog = page.getByRole("dialog", { name: "New conversation" });
    await press(dialog, "New group");
    await dialog.getByLabel("GUID").fill("crew");
    await dialog.getByLabel("Members").fill("alice");
    await expectAccessible(page);
    await press(dialog, "Create group");
    await messagesOf(support).getByText("Support Team added Alice Nguyen").waitFor();
    await write(support, "support", "For the crew");
    await page.reload();
    await expectText(bob, "bob is not a member of crew");
    expect(await bob.getByText("For the crew").count()).toBe(0);

    await press(bob, "Join", exact);
    await expectText(bob.getByRole("article"), "For the crew");
    await expectShown(messagesOf(support).getByText("Bob Okafor joined"));
    await press(support, "Members");
    await expectText(page.getByRole("dialog"), "Bob Okafor");
    await expectAccessible(page);
    await press(page, "Leave as support");

    await expectText(support, "support is not a member of crew");
  });

  it.runIf(isNight)("rings a call on the other side, and ends it for both", async () => {
    await console.say("alice", "bob", "before the call");
    const page = await console.open("#/chat/alice/alice_user_bob?beside=bob/alice_user_bob");
    const [alice, bob] = sides(page);

    await press(alice, "Voice call to Bob Okafor");
    await expectText(alice, "Voice call to bob: ringing");
    await expectText(bob, "Voice call from alice");
    await expectAccessible(page);
    await press(bob, "Accept");
    await expectText(alice, "Voice call with bob");
    await press(bob, "End for all");
    await alice.getByText("Voice call with bob").waitFor({ state: "detached" });
    await press(alice, "Video call to Bob Okafor");
    await press(bob, "Reject");

    await expectShown(messagesOf(alice).getByText("Bob Okafor rejected the video call"));
  });

  it.runIf(isNight)(
    "shows a blocked message only to its sender, with the rule, and refusals with their code",
    async () => {
      await console.post("/api/chat/local-app/moderation/rules", {
        name: "No swearing",
        enabled: true,
        action: ["blockMessage"],
        conditions: [{ operand: "text", category: "word", operator: "contains", value: ["damn"] }],
      });
      await console.say("alice", "bob", "before the rule");
      const page = await console.open("#/chat/alice/alice_user_bob?beside=bob/alice_user_bob", {
        expected: /status of 40[0-9]/,
      });
      const [alice, bob] = sides(page);
      await write(alice, "alice", "damn it");
      await expectShown(alice.getByRole("article").filter({ hasText: "damn it" }).getByText("disapproved"));
      await expectText(alice, "by rule No swearing");
      await write(bob, "bob", "no harm");
      await expectText(alice.getByRole("article"), "no harm");
      expect(await bob.getByText("damn it").count()).toBe(0);

      await write(bob, "bob", "x".repeat(70_000));
      await expectText(bob.getByRole("alert"), "ERR_BAD_REQUEST");
      await expectText(bob.getByRole("alert"), "may not be greater than 65536 characters");
      await page.reload();
      await expectShown(bob.getByRole("button", { name: "Send again" }));
      await press(bob, "Dismiss");
      await expectAccessible(page);
    },
  );

  it.runIf(isNight)(
    "creates a user, searches by keyboard, shows online users, and fits every screen",
    async () => {
      const page = await console.open("#/chat/alice/alice_user_bob");
      const [first, second] = sides(page);
      await first.getByLabel("Write as alice").fill("a draft");
      await page.reload();
      await expect.poll(() => first.getByLabel("Write as alice").inputValue()).toBe("a draft");
      await press(first, "Online");
      await expectShown(first.getByRole("button", { name: "Online", pressed: true }));
      const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
      const addSecond = page.getByRole("button", { name: "Second user" });
      await addSecond.press("Enter");
      await expect.poll(focused).toBe("Search users");
      const widths = await Promise.all(
        [first, second].map(async (side) => (await side.boundingBox())?.width),
      );
      expect(Math.abs((widths[1] ?? 0) - (widths[0] ?? 0))).toBeLessThan(2);
      await page.keyboard.press("Escape");
      await expect.poll(focused).toBe("Second user");
      await addSecond.press("Enter");
      await press(second, "New user");
      await second.getByLabel("UID").fill("zoe");
      await second.getByLabel("Name").fill("Zoë of a Very Long Name that Goes On");
      await page.keyboard.press("Enter");
      await expectText(second, "No conversations yet");
      await expectAccessible(page);

      await second.getByRole("button", { name: "New", exact: true }).focus();
      await page.keyboard.press("/");
      expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe(
        "Search conversations",
      );
      await first.getByRole("button", { name: "New", exact: true }).focus();
      await page.keyboard.press("/");
      await page.keyboard.type("bob");
      await expectShown(first.getByRole("button", { name: /Bob Okafor/ }).first());
      await page.emulateMedia({ colorScheme: "dark" });
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await press(page, "zoe", exact);
      await expectText(second, "No conversations yet");
      expect(await first.isVisible()).toBe(false);
      await expectAccessible(page);
      await press(page, "alice", exact);
      await expectShown(first.getByRole("button", { name: "Back to the conversations" }));
      await expectGoodLooks(page, "chat");
    },
  );
});

type Side = ReturnType<Page["getByRole"]>;

function sides(page: Page): readonly [Side, Side] {
  return [
    page.getByRole("region", { name: "First user" }),
    page.getByRole("region", { name: "Second user" }),
  ];
}

function messagesOf(side: Side): Side {
  return side.getByRole("region", { name: /^Messages: / });
}

async function write(side: Side, uid: string, text: string) {
  await side.getByLabel(`Write as ${uid}`).fill(text);
  await side.getByLabel(`Write as ${uid}`).press("Enter");
}

// An image of one pixel.
const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
