import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { ownProject } from "../helpers/own-project.ts";
import { type DeployedCopy, deployCopy } from "../helpers/project-copy.ts";

describe("a team's own things, deployed on this machine", () => {
  let copy: DeployedCopy;

  beforeAll(async () => {
    copy = await deployCopy(await ownProject());
  });
  afterAll(() => copy?.close());

  async function ask(path: string, body: object) {
    const url = `${copy.cloud.httpUrl}/${path}/local-app`;
    const response = await fetch(
      signedRequest({ url, username: "platform", password: "the-webhook-password" }, body),
    );
    return response.text();
  }

  it("are a function with configuration by stage and by app", async () => {
    const ofApp = await copy.cloud.invoke("whoIsOnCall", { appId: "local-app" });
    const ofOther = await copy.cloud.invoke("whoIsOnCall", { appId: "constructor" });

    expect(ofApp.payload).toEqual({
      uid: "bela",
      escalateTo: "chief",
      table: "cometchat-functions-local-effects",
    });
    expect(ofOther.payload).toMatchObject({ uid: "ann", escalateTo: "chief" });
  });

  it("are the reasons of an app, in the place of those of all", async () => {
    const { payload } = await copy.cloud.invoke("seed", { dryRun: true });

    expect(payload).toEqual({
      dryRun: true,
      apps: [
        {
          appId: "local-app",
          things: [{ kind: "moderation reason", id: "own", outcome: "created" }],
          unseen: [],
          drift: 1,
        },
      ],
    });
  });

  it("decide in the place of the lists, and only what they decide, whatever they do not await", async () => {
    const message = messageBody({ text: "please buy me a gift card", sender: "ann" });

    const judged = await ask("moderation", { contextMessages: [{ ann: message }] });
    const held = await ask("before-message", { trigger: "before_message", data: message });

    expect(JSON.parse(judged)).toMatchObject({ confidence: 0.123, reason: "Our own." });
    expect(held).toBe('{"action":"do_not_propagate"}'); // 0.7 is dropped in this stage
  });
});
