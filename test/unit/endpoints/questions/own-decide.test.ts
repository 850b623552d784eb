import { describe, expect, it } from "vitest";
import {
  type BeforeMessageAnswer,
  drop,
  pass,
} from "../../../../lib/endpoints/questions/before-message-answer.ts";
import { ownOrListed } from "../../../../lib/endpoints/questions/own-decide.ts";

const question = { message: {}, context: [], language: undefined };
const help = {
  appId: "app-1",
  signal: new AbortController().signal,
  secret: async (name: string) => `the ${name}`,
};

describe("ownOrListed", () => {
  it("makes the lists ready at once where they alone decide", async () => {
    let made = 0;

    const decide = ownOrListed<BeforeMessageAnswer>(undefined, () => {
      made += 1;
      return drop;
    });

    expect(made).toBe(1);
    expect(await decide(question, help)).toEqual(drop());
  });

  it("lets a decision of one's own ask the lists, which are made ready when it does, and read a secret", async () => {
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
});
