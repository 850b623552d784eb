import { describe, expect, expectTypeOf, it } from "vitest";
import type { ChatRequest } from "../../../lib/chat/chat-request.ts";
import { createChatClient } from "../../../lib/chat/client.ts";
import { composeChatClient } from "../../../lib/chat/compose.ts";
import { createManagementClient } from "../../../lib/chat/management/management-client.ts";
import type { Paged } from "../../../lib/chat/paged.ts";
import { messages } from "../../../lib/chat/resources/messages.ts";
import type { Message } from "../../../lib/chat/types/messages.ts";
import type { User } from "../../../lib/chat/types/users.ts";

const options = { appId: "app1", apiKey: "k" };
const acting = { onBehalfOf: "alice" };
const text = { receiver: "bob", receiverType: "user", data: { text: "hi" } } as const;

// The compiler judges these functions (npm run types); they are never called, so nothing is sent.
describe("the types of the client", () => {
  it("require onBehalfOf where the operation acts as a user", () => {
    const chat = createChatClient(options);
    const calls = () => [
      chat.messages.save("1", acting),
      chat.threads.reply("1", text, acting),
      // @ts-expect-error saving is for a user's own list
      chat.messages.save("1"),
      // @ts-expect-error a reply is a user's
      chat.threads.reply("1", text),
      // @ts-expect-error options without the user do not help
      chat.threads.reply("1", text, { timeoutMs: 1 }),
    ];
    expect(calls).toBeTypeOf("function");
  });

  it("allow onBehalfOf where it is optional and refuse it where the platform does not list it", () => {
    const chat = createChatClient(options);
    const calls = () => [
      chat.messages.send(text),
      chat.messages.send(text, acting),
      chat.users.get("bob", acting),
      // @ts-expect-error creating a user does not act as a user
      chat.users.create({ uid: "bob", name: "Bob" }, acting),
      // @ts-expect-error neither does listing
      chat.users.list({}, acting),
    ];
    expect(calls).toBeTypeOf("function");
  });

  it("refuse misspelled, missing and wrong input", () => {
    const chat = createChatClient(options);
    const calls = () => [
      // @ts-expect-error the name is missing
      chat.users.create({ uid: "bob" }),
      // @ts-expect-error recieverType is no field
      chat.messages.send({ receiver: "bob", recieverType: "user", data: { text: "hi" } }),
      // @ts-expect-error there is no such receiver type
      chat.messages.send({ ...text, receiverType: "channel" }),
      // @ts-expect-error a path value is missing
      chat.members.remove("group"),
      // @ts-expect-error there is no such status
      chat.users.list({ status: "away" }),
      chat.users.list({ status: "online" }),
    ];
    expect(calls).toBeTypeOf("function");
  });

  it("offer alreadyDone only where a repetition could do harm", () => {
    const chat = createChatClient(options);
    const calls = () => [
      chat.messages.send(text, { alreadyDone: async () => undefined }),
      // @ts-expect-error a GET needs no check
      chat.messages.get("1", { alreadyDone: async () => undefined }),
    ];
    expect(calls).toBeTypeOf("function");
  });

  it("name what comes back and keep unknown fields unknown", () => {
    const chat = createChatClient(options);
    expectTypeOf(chat.messages.send).returns.toEqualTypeOf<ChatRequest<Message>>();
    expectTypeOf(chat.users.list).returns.toEqualTypeOf<Paged<User>>();
    expectTypeOf<User["uid"]>().toEqualTypeOf<string>();
    expectTypeOf<User["fieldOfTomorrow"]>().toEqualTypeOf<unknown>();
    expect(chat.messages.send).toBeTypeOf("function");
  });

  it("leave an authOnly client nothing but users and tokens to create", () => {
    const chat = createChatClient({ ...options, scope: "authOnly" });
    expectTypeOf(chat.users).toHaveProperty("create");
    const calls = () => [
      chat.authTokens.create("bob"),
      // @ts-expect-error an authOnly key may not read users
      chat.users.get("bob"),
      // @ts-expect-error an authOnly key may not send messages
      chat.messages,
      // @ts-expect-error nor anything else
      chat.request,
    ];
    expect(calls).toBeTypeOf("function");
  });

  it("offer a composed client only the families it names", () => {
    const chat = composeChatClient(options, { messages });
    expectTypeOf(chat.messages.send).returns.toEqualTypeOf<ChatRequest<Message>>();
    // @ts-expect-error users were not named
    const users = () => chat.users;
    expect(users()).toBeUndefined();
  });

  it("know each extension's settings", () => {
    const management = createManagementClient({ credentials: { key: "k", secret: "s" } });
    const { extensionSettings } = management;
    const calls = () => [
      extensionSettings.store("app", "gifs-giphy", { giphyApiKey: "x" }),
      extensionSettings.update("app", "profanity-filter", { dropMessage: true, badwords: ["x"] }),
      extensionSettings.store("app", "polls", { anything: 1 }),
      // @ts-expect-error this one is called giphyApiKey
      extensionSettings.store("app", "gifs-giphy", { tenorApiKey: "x" }),
      // @ts-expect-error data masking has no first store
      extensionSettings.store("app", "data-masking", {}),
      // @ts-expect-error there is no such extension
      extensionSettings.get("app", "time-travel"),
    ];
    expect(calls).toBeTypeOf("function");
  });
});
