import { describe, expect, it } from "vitest";
import { openEditor } from "../../../helpers/open-editor.ts";

/** What a user of the client writes; `⟨⟩` stands where the pointer does. */
const source = `
import { createChatClient } from "./client.ts";
import { composeChatClient } from "./compose.ts";
import { createManagementClient } from "./management/management-client.ts";
import { messages } from "./resources/messages.ts";
import { users } from "./resources/users.ts";

const chat = createChatClient({ appId: "a", apiKey: "k" });
const ⟨composed⟩small = composeChatClient({ appId: "a", apiKey: "k" }, { messages, people: users });
const management = createManagementClient({ credentials: { key: "k", secret: "s" } });
const ⟨answer⟩message = await chat.messages.⟨send⟩send({ receiver: "bob", receiverType: "user", data: { text: "hi" } });
small.⟨family⟩people.⟨list⟩list({ status: "online" });
const ⟨called⟩user = await small.call(users.get, "bob");
chat.users.create({ ⟨field⟩uid: "bob", name: "Bob" });
management.webhooks.⟨create⟩create("app", { id: "a", name: "b", webhookURL: "https://example.org" });
`;

const { hoverAt } = openEditor("lib/chat/editor-of-a-user.ts", source);

describe("what an editor shows", () => {
  it("is the input and the answer of a method by name, and its documentation", () => {
    expect(hoverAt("send")).toBe(
      [
        "(method) MessagesClient.send(input?: SendMessageInput, options?: MayActOptions & CheckOption<Message>): ChatRequest<Message>",
        "Sends a message to a user, a group or several of them; without `onBehalfOf` the app itself is the sender.",
      ].join("\n"),
    );
  });

  it("is what an item of a list is called", () => {
    expect(hoverAt("list")).toBe(
      [
        "(method) UsersClient.list(input?: ListUsersQuery, options?: AppOptions): Paged<User>",
        "Lists users. `searchKey` matches the start of uid or name; `status` online is asked for as `available`; times are",
      ].join("\n"),
    );
  });

  it("is the family's name under whatever name the client has it", () => {
    expect(hoverAt("composed").replaceAll(/\s+/g, " ")).toBe(
      "const small: ChatClientWith<{ readonly messages: MessagesClient; readonly people: UsersClient; }>",
    );
    expect(hoverAt("family")).toBe("(property) people: UsersClient");
  });

  it("is the answer's name, also of an operation that is called as a value", () => {
    expect([hoverAt("answer"), hoverAt("called")]).toEqual(["const message: Message", "const user: User"]);
  });

  it("is a field's limits", () => {
    expect(hoverAt("field")).toBe(
      ["(property) CreateUserInput.uid: string", "1 to 100 of the characters a-z 0-9 - _."].join("\n"),
    );
  });

  it("is the same for the account's client", () => {
    expect(hoverAt("create")).toBe(
      [
        "(method) WebhooksClient.create(appId: string, input: CreateWebhookInput, options?: AppOptions & CheckOption<Webhook>): ChatRequest<Webhook>",
        "Creates a webhook; triggers are added afterwards, so create it with `enabled: false`.",
      ].join("\n"),
    );
  });
});
