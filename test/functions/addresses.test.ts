import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicUrlOf } from "../../lib/receive/webhook-url.ts";
import { events } from "../../local/testing/events/events.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { copyProject, type DeployedCopy, deployCopy, removeCopy } from "../helpers/project-copy.ts";

const literal = "k3v9x2m7q1w8e4r6t5y0u3i9";
const question = { contextMessages: [{ ann: messageBody({ text: "ok", sender: "ann" }) }] };

describe.each([
  ["without an address", "", true],
  ["with an address", `addresses: [${literal}]`, false],
])("a flood on the documented paths of a stage %s, over the wire", (_case, address, isRefused) => {
  let folder: string;
  let deployed: DeployedCopy;

  beforeAll(async () => {
    const local = `{ questionsPerSecond: 5, requestsPerSecond: 5, ${address} }`;
    folder = copyProject({ "config/stages.yml": `local: ${local}\ndev:\nprod:\n` });
    deployed = await deployCopy(folder);
  });
  afterAll(async () => {
    await deployed?.close();
    removeCopy(folder);
  });

  it(`${isRefused ? "makes" : "does not make"} the gateway refuse the platform's questions or logins`, async () => {
    const { httpUrl } = deployed.cloud;
    const { origin } = new URL(httpUrl);
    const login = () => fetch(`${publicUrlOf(httpUrl)}/auth-token/local-app`, { method: "POST", body: "{}" });
    const call = (path: string, body: object) =>
      fetch(
        signedRequest(
          { url: `${httpUrl}/${path}/local-app`, username: "platform", password: "the-webhook-password" },
          body,
        ),
      );
    await Promise.all([
      call("moderation", question),
      call("webhooks", events.messageSent({ text: "Hi" })),
      login(),
    ]);

    const flood = ["moderation", "auth-token"].flatMap((path) =>
      Array.from({ length: 100 }, () => fetch(`${origin}/${path}/local-app`, { method: "POST", body: "{}" })),
    );
    const genuine = Array.from({ length: 2 }, () => [call("moderation", question), login()]).flat();
    const refused = (await Promise.all(genuine)).filter(({ status }) => status === 429).length;
    await Promise.all(flood);

    expect(refused > 0).toBe(isRefused);
    expect((await call("webhooks", events.messageSent({ text: "Hello" }))).status).toBe(200);
  });
});
