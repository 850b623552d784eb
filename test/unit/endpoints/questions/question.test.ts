import { describe, expect, it } from "vitest";
import {
  type BeforeMessageAnswer,
  drop,
  pass,
} from "../../../../lib/endpoints/questions/before-message-answer.ts";
import { ownOrListed } from "../../../../lib/endpoints/questions/own-decide.ts";
import {
  readBeforeMessage,
  readModerationQuestion,
  UnreadableQuestionError,
  WrongAddressError,
} from "../../../../lib/endpoints/questions/question.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { messageBody } from "../../../../local/testing/events/message-body.ts";
import { startLoopbackServer } from "../../../helpers/loopback-server.ts";

const moderationCall = { contextMessages: [{ ann: messageBody({ text: "hi" }) }] };

describe("a question at the wrong address", () => {
  it.each([
    ["before_message", readModerationQuestion, events.beforeMessage(), "/before-message/{appId}"],
    ["a moderation question", readBeforeMessage, moderationCall, "/moderation/{appId}"],
    ["a webhook's delivery", readBeforeMessage, events.messageSent(), "/webhooks/{appId}"],
    ["a webhook's delivery", readModerationQuestion, events.messageSent(), "/webhooks/{appId}"],
  ])("is recognized, with the correct address: %s", (what, read, body, right) => {
    expect(() => read(body)).toThrow(WrongAddressError);
    expect(() => read(body)).toThrow(`gets ${what}, which belongs to ${right}`);
  });

  it.each([
    ["nothing", undefined],
    ["a list", []],
    ["an unknown object", { text: "hi" }],
    ["a trigger that is no text", { trigger: 1 }],
  ])("is not reported for an unknown body: %s", (_case, body) => {
    for (const read of [readBeforeMessage, readModerationQuestion]) {
      expect(() => read(body)).toThrow(UnreadableQuestionError);
      expect(() => read(body)).not.toThrow(WrongAddressError);
    }
  });
});

describe("readBeforeMessage", () => {
  it("takes the language from the message's metadata, never from the client's technology", () => {
    const origin = { platform: "web", language: "reactjs", resource: "chat-widget" };
    const spoken = events.beforeMessage({ metadata: { language: "de" } });

    expect(readBeforeMessage({ ...events.beforeMessage(), origin }).language).toBeUndefined();
    expect(readBeforeMessage({ ...spoken, origin }).language).toBe("de");
  });
});

describe("readModerationQuestion", () => {
  it("reads each question once, whatever precedes the message", () => {
    const before = [{ bela: "hi" }, { ann: ["no text"] }, { ann: "you" }];

    const { message, context } = readModerationQuestion({
      contextMessages: [...before, { bela: messageBody({ text: "big", sender: "ann" }) }],
    });

    expect(message).toMatchObject({ sender: "ann", data: { text: "big" } });
    expect(context).toEqual([
      { uid: "bela", text: "hi" },
      { uid: "ann", text: "you" },
    ]);
  });

  it.each([
    ["ann", "ann", false],
    ["bela", "ann", true],
    ["ann", undefined, false],
  ])(
    "marks uids as doubtful if the message has another sender: %s beside a message of %s",
    (uid, sender, isDoubtful) => {
      const question = readModerationQuestion({
        contextMessages: [{ ann: "hi" }, { [uid]: { ...messageBody({ text: "you" }), sender } }],
      });

      expect(question).toMatchObject({ message: { sender: "ann" }, areUidsDoubtful: isDoubtful });
    },
  );

  it.each([
    ["metadata", ["x"]],
    ["metadata", "x"],
    ["metadata", { deep: [null, { a: null }] }],
    ["mentions", []],
    ["customData", ""],
    ["entities", { sender: { entity: 1 } }],
    ["url", 7],
  ])("judges a text whatever the sender's app adds: %s %j", (name, value) => {
    const message = messageBody({ text: "the text" });
    const odd = { ...message, data: { ...message.data, [name]: value } };

    const question = readModerationQuestion({ contextMessages: [{ ann: odd }] });

    expect(question.message.data?.text).toBe("the text");
  });

  it.each(["id", "conversationId", "sender", "receiver", "receiverType", "sentAt", "tags"])(
    "judges a text whatever type its message's %s has",
    (name) => {
      for (const odd of ["", [], {}, 1.5, true, null, [null], "x".repeat(1_000)]) {
        const message = { ...messageBody({ text: "the text" }), [name]: odd };

        const questions = [
          readModerationQuestion({ contextMessages: [{ ann: message }] }),
          readBeforeMessage({ trigger: "before_message", data: message }),
        ];

        expect(questions.map((question) => question.message.data?.text)).toEqual(["the text", "the text"]);
      }
    },
  );
});

const question = { message: {}, context: [], language: undefined };
const help = {
  appId: "app-1",
  signal: new AbortController().signal,
  secret: async (name: string) => `the ${name}`,
};

describe("ownOrListed", () => {
  it("prepares the lists immediately if they decide alone", async () => {
    let made = 0;

    const decide = ownOrListed<BeforeMessageAnswer>(undefined, () => {
      made += 1;
      return drop;
    });

    expect(made).toBe(1);
    expect(await decide(question, help)).toEqual(drop());
  });

  it("lets a custom decision use the lists, which are prepared on demand, and read a secret", async () => {
    const made: string[] = [];
    const heard: unknown[] = [];
    const decide = ownOrListed<BeforeMessageAnswer>(
      async (asked, { listed, secret, appId }) => {
        heard.push(asked === question, appId, await secret("model-token"), [...made]);
        return (await listed()) && (await listed());
      },
      () => {
        made.push("lists");
        return (_question, { appId }) => (appId === "app-1" ? drop() : pass());
      },
    );

    const answer = await decide(question, help);

    expect(answer).toEqual(drop());
    expect(heard).toEqual([true, "app-1", "the model-token", []]);
    expect(made).toEqual(["lists"]);
  });

  it.each([
    ["once", 1, "judged"],
    ["no more than once", 2, "broken"],
  ])("repeats a request whose connection broke, %s", async (_case, breaks, expected) => {
    const host = await startLoopbackServer(async (_request, response) => {
      if (host.requests.length <= breaks) response.destroy();
      else response.end();
    });
    const request = new Request(host.url, { method: "POST", body: "the text" });
    const decide = ownOrListed<string>(
      (_question, { fetch }) =>
        fetch(request).then(
          () => "judged",
          () => "broken",
        ),
      () => () => "listed",
    );

    const answer = await decide(question, help);

    expect(answer).toBe(expected);
    expect(host.requests.map(({ body }) => body)).toEqual(["the text", "the text"]);
  });

  it("does not repeat a request that was answered", async () => {
    const host = await startLoopbackServer((_request, response) =>
      response.writeHead(302, { location: "/" }).end(),
    );
    const decide = ownOrListed<string>(
      (_question, { fetch }) => fetch(host.url, { redirect: "error" }).then(() => "judged"),
      () => () => "listed",
    );

    await expect(decide(question, help)).rejects.toThrow();
    expect(host.requests).toHaveLength(1);
  });
});
