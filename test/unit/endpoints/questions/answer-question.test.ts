import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AwsCaller } from "../../../../lib/aws/aws-call.ts";
import { OwnError } from "../../../../lib/base/errors.ts";
import { notFound } from "../../../../lib/base/http/respond.ts";
import { answerQuestion } from "../../../../lib/endpoints/questions/answer-question.ts";
import {
  drop,
  pass,
  writeBeforeMessageAnswer,
} from "../../../../lib/endpoints/questions/before-message-answer.ts";
import { InvalidAnswerError } from "../../../../lib/endpoints/questions/read-answer.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { ask, type Decide, someQuestion, startedAt } from "./ask.ts";

function holdTimers() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

const undecided = { status: 200, body: '{"action":"do_not_propagate"}' };

describe("answerQuestion", () => {
  it("returns the decision about the message", async () => {
    const { response, counted } = await ask(async ({ message }, { appId, secret }) => {
      expect({ text: message.data?.text, appId }).toEqual({ text: "my-private-words", appId: "app-1" });
      expect(await secret("model-token")).toBe("model-token of app-1");
      return pass();
    });

    expect(response).toEqual({ status: 200, body: "{}" });
    expect(counted).toEqual([]);
  });

  it.each([
    ["deciding fails", () => Promise.reject(new OwnError("The model is away.")), "The model is away."],
    [
      "deciding throws",
      () => {
        throw new TypeError("I love you");
      },
      "TypeError at answer-question.test.ts",
    ],
    ["the decision is invalid", () => undefined as never, "InvalidAnswerError"],
    ["the decision has more fields", () => ({ ...pass(), text: "x" }) as never, "InvalidAnswerError"],
    ["the decision is of another kind", () => ({ action: "block" }) as never, "InvalidAnswerError"],
  ])("returns the configured answer when %s, logged and counted", async (_case, decide, reason) => {
    const { response, log, counted } = await ask(decide);

    expect(response).toEqual(undecided);
    expect(counted).toEqual(["MessageUndecided app-1"]);
    expect(log).toContain(reason);
    expect(log).not.toContain("my-private-words");
  });

  it.each([
    ["no JSON", "my-private-words {"],
    ["an empty body", ""],
    ["a list", '["my-private-words"]'],
    ["an object of another kind", '{"text":"my-private-words"}'],
    ["a message of another shape", JSON.stringify({ trigger: "before_message", data: "my-private-words" })],
  ])("returns the configured answer to %s, and logs nothing of it", async (_case, body) => {
    const { response, log, counted } = await ask(() => pass(), { body });

    expect(response).toEqual(undecided);
    expect(counted).toEqual(["MessageUndecided app-1"]);
    expect(log).not.toContain("my-private-words");
  });

  it.each([
    ["an unknown caller", { password: "wrong" }],
    ["a caller with credentials for other questions", { username: "engine" }],
  ])("returns no decision to %s", async (_case, asking) => {
    const { response } = await ask(() => pass(), asking);

    expect(response.status).toBe(401);
    expect(response.body).toContain("unauthorized");
  });

  it("reports that the platform still uses a replaced password", async () => {
    const { response, counted } = await ask(() => pass(), { password: "replaced-password" });

    expect(response.body).toBe("{}");
    expect(counted).toEqual(["ReplacedPasswordUsed app-1"]);
  });

  it.each([
    ["in time when deciding takes too long", undefined, 1_500],
    ["in the time that waiting for the function to start has left", 900, 600],
    ["in time behind a gateway whose clock is ahead", -900, 1_500],
  ])("returns the configured answer %s, and aborts the decision", async (_case, waitedMs, limitMs) => {
    holdTimers();
    const asked = Promise.withResolvers<AbortSignal>();
    const asking = ask(
      (_question, { signal }) => {
        asked.resolve(signal);
        return new Promise<never>(() => {});
      },
      waitedMs === undefined ? {} : { waitedMs },
    );
    const signal = await asked.promise;

    vi.advanceTimersByTime(limitMs - 1);
    const isEndedEarly = signal.aborted;
    vi.advanceTimersByTime(1);
    const { response, log, counted } = await asking;

    expect(response).toEqual(undecided);
    expect([isEndedEarly, signal.aborted, counted]).toEqual([false, true, ["MessageUndecided app-1"]]);
    expect(log).toMatch(/no answer within \d+ ms/);
  });

  it.each([1_400, 3_600_000, -3_600_000])(
    "still decides if the gateway's clock shows a wait of %i ms",
    async (waitedMs) => {
      const { response } = await ask(() => pass(), { waitedMs });

      expect(response.body).toBe("{}");
    },
  );

  it("returns a decision that blocked the processor for too long, logged and counted", async () => {
    let time = startedAt;
    let signal: AbortSignal | undefined;

    const { response, log, counted } = await ask(
      (_question, help) => {
        ({ signal } = help);
        time += 1_500;
        return pass();
      },
      { now: () => time },
    );

    expect(response.body).toBe("{}");
    expect([signal?.aborted, counted]).toEqual([true, ["MessageUndecided app-1"]]);
    expect(log).toContain("no answer within 1500 ms");
  });

  it.each([
    [99, []],
    [100, ["MessageUndecided app-1"]],
  ])(
    "logs and counts a decision that the platform no longer waits for, %i ms after 1,900",
    async (tookMs, metrics) => {
      let time = startedAt;
      const decide: Decide = () => {
        time += tookMs;
        return pass();
      };

      const { response, lines, counted } = await ask(decide, { waitedMs: 1_900, now: () => time });

      expect(response.body).toBe("{}");
      expect([counted, lines.length]).toEqual([metrics, metrics.length]);
    },
  );

  it("returns the configured answer in time while the credentials do not arrive, and ignores them later", async () => {
    holdTimers();
    const asked = Promise.withResolvers<void>();
    const late = Promise.withResolvers<never>();
    const decide = vi.fn<Decide>(() => pass());
    const callAws: AwsCaller = () => {
      asked.resolve();
      return late.promise;
    };
    const asking = ask(decide, { callAws });
    await asked.promise;

    vi.advanceTimersByTime(1_500);
    const { response, counted } = await asking;
    late.reject(new Error("The connection broke."));
    await Promise.allSettled([late.promise]);

    expect(response).toEqual(undecided);
    expect(counted).toEqual(["MessageUndecided app-1"]);
    expect(decide).not.toHaveBeenCalled();
  });

  it("returns the configured answer while the credentials cannot be read", async () => {
    const callAws: AwsCaller = () => Promise.reject(new OwnError("Secrets Manager is away."));

    const { response, counted, log } = await ask(() => pass(), { callAws });

    expect(response).toEqual(undecided);
    expect(counted).toEqual(["MessageUndecided app-1"]);
    expect(log).toContain("Secrets Manager is away.");
  });

  it("answers an unserved app like a served one, and does not count invented names", async () => {
    const callAws: AwsCaller = () => Promise.reject(new OwnError("Secrets Manager is away."));

    const refused = await ask(() => pass(), { appId: "an-invention" });
    const unread = await ask(() => pass(), { callAws, appId: "an-invention" });

    expect([refused.response.status, refused.counted]).toEqual([401, ["QuestionUnauthorized unknown"]]);
    expect([unread.response, unread.counted]).toEqual([undecided, ["MessageUndecided unknown"]]);
  });

  describe("a body that is too large", () => {
    const large = Buffer.alloc(5_000_000, "[");

    it("gets the configured answer without being read or digested", async () => {
      const read = vi.spyOn(JSON, "parse");
      onTestFinished(() => void read.mockRestore());
      const decode = vi.spyOn(large, "toString");

      const { response, log, counted } = await ask(() => pass(), {
        body: large,
        headers: { "x-cometchat-signature": "0".repeat(64) },
      });

      expect(response).toEqual(undecided);
      expect(counted).toEqual(["MessageUndecided app-1"]);
      expect(log).toContain("more than 1048576 bytes");
      expect(read.mock.calls.filter(([text]) => text.length > 10_000)).toEqual([]);
      expect(decode).not.toHaveBeenCalled();
    });

    it("is refused without credentials, like any other", async () => {
      const { response, counted } = await ask(() => pass(), { body: large, password: "wrong" });

      expect(response.status).toBe(401);
      expect(counted).toEqual(["QuestionUnauthorized app-1"]);
    });

    it("has more bytes than the platform's longest", async () => {
      const text = "\\u5b57".repeat(65_536);
      const body = someQuestion.replace("my-private-words", text);
      const decide = vi.fn<Decide>(() => pass());

      const { response } = await ask(decide, { body });

      expect(response.body).toBe("{}");
      expect(decide.mock.calls[0]?.[0].message.data?.text).toHaveLength(65_536);
    });
  });

  it.each([
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("judges a message despite its sender's nesting: 80,000 %s", async (_case, open, close) => {
    const nested = `${open.repeat(80_000)}1${close.repeat(80_000)}`;
    const body = someQuestion.replace('"text":', `"metadata":${`{"x":${nested}}`},"text":`);
    const decide = vi.fn<Decide>(({ message }) => (JSON.stringify(message).length > 0 ? pass() : drop()));

    const { response } = await ask(decide, { body });

    expect(body).toContain(nested);
    expect(response.body).toBe("{}");
    expect(decide.mock.calls[0]?.[0].message.data?.text).toBe("my-private-words");
  });

  it("logs once an hour where a misdirected delivery belongs, and counts each", async () => {
    let time = startedAt;
    const body = JSON.stringify(events.messageSent({ text: "my-private-words" }));

    const { response, lines, counted, again } = await ask(() => pass(), { body, now: () => time });
    time += 3_599_999;
    await again();
    const withinTheHour = lines.length;
    time += 1;
    await again();

    expect(response).toEqual(notFound);
    expect(withinTheHour).toBe(1);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("gets a webhook's delivery, which belongs to /webhooks/{appId}");
    expect(lines[0]).not.toContain("my-private-words");
    expect(counted).toEqual(Array(3).fill("QuestionAtWrongAddress app-1"));
  });

  it("reports a question that names another user beside its message", async () => {
    const read = () => ({ message: {}, context: [], language: undefined, areUidsDoubtful: true });

    const { response, counted } = await ask(() => pass(), { read });

    expect(response.body).toBe("{}");
    expect(counted).toEqual(["QuestionUidsDoubtful app-1"]);
  });

  it("returns the configured answer if a message is held back at the wrong address", async () => {
    const body = JSON.stringify({ contextMessages: [{ ann: "my-private-words" }] });

    const { response, counted } = await ask(() => pass(), { body });

    expect(response).toEqual(undecided);
    expect(counted).toEqual(["QuestionAtWrongAddress app-1", "MessageUndecided app-1"]);
  });

  it("fails immediately if the configured answer is invalid", async () => {
    const kind = { whenUndecided: () => ({ action: "block" }) as never, write: writeBeforeMessageAnswer };

    const answering = answerQuestion(
      { pathParameters: { appId: "app-1" } } as never,
      kind as never,
      { apps: new Map(), now: () => 0 } as never,
    );

    await expect(answering).rejects.toThrow(InvalidAnswerError);
  });
});
