import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import { createSecretVersions } from "../../lib/operate/rotation/secret-versions.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { deleteApiKey, listApiKeys, putApiKey } from "../../local/platform/store/apps.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { putWebhook } from "../../local/stack/put-webhook.ts";
import { forgetSecret, secretOf } from "../helpers/cloud-data.ts";
import { expectEnd, type RunChatOptions } from "../helpers/run-chat.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";

describe("rotate", () => {
  useChat();

  beforeEach(async () => {
    for (const name of ["", "/webhook"]) {
      await forgetSecret(world.cloud, `${world.cloud.outputs.SecretPrefix}/${world.app.appId}${name}`);
    }
    await world.cloud.putAppSecret(secretOf(world));
    world.cloud.kill("webhook"); // it may have looked for other credentials less than 5 s ago
    await world.reset();
  });

  const onApp = (words: string, options?: RunChatOptions) =>
    chat(`rotate ${words} --local --app ${world.app.appId}`, options);

  it("replaces the API key over the wire, with the old one good for an hour", async () => {
    const ran = await onApp("api-key --yes");
    const status = await onApp("finish --dry-run --json");

    expectEnd(ran, 0, "Rotated for app local-app: the new one is in use.");
    expect(status.json).toMatchObject([{ overlaps: [{ thing: "api-key", isOver: false }] }]);
    expect(await keysOf(world)).toHaveLength(3);
  });

  it("replaces the API key although the app has no webhook secret, and names what is missing", async () => {
    const webhookSecret = `${world.cloud.outputs.SecretPrefix}/${world.app.appId}/webhook`;
    await forgetSecret(world.cloud, webhookSecret);

    expectEnd(await onApp("api-key --yes"), 0, "Rotated for app local-app: the new one is in use.");
    expectEnd(await onApp("webhook-password --yes"), 6, "There is no secret for the webhook's password");
  });

  it("replaces the webhook's password, and deliveries go on", async () => {
    const { exitCode, json, stderr } = await onApp("webhook-password --yes --json");
    const delivered = await deliveryAfter(world);

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("proven; switching over")]);
    expect(json).toEqual([
      {
        app: "local-app",
        things: ["webhook-password"],
        state: "overlapping",
        begun: true,
        until: expect.stringMatching(/Z$/),
      },
    ]);
    expect(delivered).toMatchObject({ status: 200 });
  });

  it("asks for no management credentials where the platform is told no password", async () => {
    const secretId = `${world.cloud.outputs.SecretPrefix}/management`;
    await world.cloud.putSecret(secretId, { key: "" });
    onTestFinished(() => world.cloud.putSecret(secretId, defaultSeed.management));

    const key = await onApp("api-key --yes");
    const status = await onApp("finish --dry-run");
    const finish = await onApp("finish --now --yes");

    expect([key.exitCode, status.exitCode, finish.exitCode]).toEqual([0, 0, 0]);
  });

  it("goes on with what is under way in place of beginning anew, and ends it when told", async () => {
    await onApp("api-key --yes");

    const again = await onApp("api-key --yes --json");
    const rehearsed = await onApp("api-key --dry-run");
    const notYet = await onApp("finish --yes --json");
    const ended = await onApp("finish --now --yes --json");
    await onApp("api-key --yes");
    const endedInWords = await onApp("finish --now --yes");
    const status = await onApp("finish --dry-run --json");

    expect(again).toMatchObject({ exitCode: 3, json: [{ error: { code: "IN_OVERLAP" } }] });
    expectEnd(rehearsed, 3, "no other rotation begins before");
    expect(notYet.json).toMatchObject([{ state: "overlapping" }]);
    expect(ended.json).toMatchObject([{ state: "rotated" }]);
    expect(endedInWords.stdout).toBe("Finished the earlier rotation of app local-app.\n");
    expect(status.json).toMatchObject([{ overlaps: [] }]);
    expect(await keysOf(world)).toHaveLength(2);
    expect(await keysOf(world)).not.toContain(world.app.fullAccessKey);
  });

  it("ends what leaked at once", async () => {
    const { json } = await onApp("api-key --revoke-now --yes --json");

    expect(json).toMatchObject([{ state: "rotated", begun: true }]);
    expect(await keysOf(world)).not.toContain(world.app.fullAccessKey);
  });

  it.each([["api-key"], ["webhook-password"]])(
    "says what %s would do, and changes nothing",
    async (thing) => {
      const { exitCode, stdout, stderr } = await onApp(`${thing} --dry-run`);
      const status = await onApp("finish --dry-run --json");

      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/1\. Create [\s\S]*4\. [\s\S]*Nothing was changed\./);
      expect(stderr).toBe(`acts on the local stack (pid ${process.pid})\n`);
      expect(status.json).toMatchObject([{ overlaps: [] }]);
      expect(await keysOf(world)).toEqual([world.app.authOnlyKey, world.app.fullAccessKey].toSorted());
    },
  );

  it("changes nothing unless it is confirmed", async () => {
    const { exitCode, stderr } = await onApp("api-key");
    const declined = await onApp("webhook-password", { answers: [false] });

    expect([exitCode, declined.exitCode]).toEqual([3, 3]);
    expect(stderr).toContain("other servers that use it stop working then");
    expect(await keysOf(world)).toHaveLength(2);
  });

  it("stops where the dashboard must be told by hand, and goes on when it was", async () => {
    await forgetManagement(world);
    const before = await currentPassword(world);

    const stopped = await onApp("webhook-password --yes --json");
    const status = await onApp("finish --dry-run");
    const shown: string[] = [];
    const [typed = ""] = /(?<=npx cometchat-functions )setup .*$/m.exec(stopped.stderr) ?? [];
    await chat(typed, { edges: { stdout: { write: (text) => void shown.push(text), isTerminal: true } } });
    const [, password = ""] = /^pending {3}(\S+)$/m.exec(shown.join("")) ?? [];
    await putWebhook(world.platform, world.app.appId, {
      ...world.webhook,
      password,
      triggerIds: ["message_sent"],
    });
    const done = await onApp("webhook-password --continue --yes --json");

    expect(stopped).toMatchObject({ exitCode: 7, json: [{ error: { code: "NO_MANAGEMENT" } }] });
    expect(stopped.stderr).toContain(`at the webhook with the address ${world.webhook.url}`);
    expect(status.stdout).toContain(
      "Next: npx cometchat-functions rotate --local webhook-password --app local-app",
    );
    expect(shown.join("")).toContain(`password  ${before}\n`);
    expect(shown.join("")).toContain("rotate --local finish --dry-run --app local-app\n");
    expect(await currentPassword(world)).toBe(password);
    expect(done.json).toMatchObject([{ state: "overlapping", begun: false }]);
    expect(await deliveryAfter(world)).toMatchObject({ status: 200 });
  });

  it("ends the key's overlap although the password's rotation is stuck, and names that", async () => {
    await onApp("api-key --yes");
    await versionsOf(world, "/webhook").fill(crypto.randomUUID(), {});

    const finished = await onApp("finish --now --yes --json");
    const status = await onApp("finish --dry-run --json");

    expectEnd(finished, 7, "Already ended: the old value of the API key.");
    expect(finished.json).toMatchObject([
      {
        error: {
          code: "UNKNOWN_PENDING",
          hint: expect.stringMatching(
            /remove its label AWSPENDING.*\nThen continue: npx cometchat-functions rotate --local finish --now --app local-app$/,
          ),
        },
      },
    ]);
    expectEnd(await onApp("finish --now --yes"), 3, "that no rotation made");
    expect(status.json).toMatchObject([
      { overlaps: [], trouble: expect.stringContaining("pending version") },
    ]);
  });

  it("says what finish would do, by the options of its line", async () => {
    const lines = ["", "--now", "--wait", "--abandon"];
    const plansOf = async () => {
      const plans: unknown[] = [];
      for (const more of lines) {
        const { json } = await onApp(`finish --dry-run --json ${more}`);
        plans.push(json.flatMap((one) => Object(one).plan));
      }
      return plans;
    };

    const nothing = await plansOf();
    await onApp("api-key --yes");
    const inOverlap = await plansOf();
    await forgetManagement(world);
    await onApp("webhook-password --yes");
    const unsure = await onApp("finish --dry-run --abandon --json");
    const entered = await onApp("finish --dry-run --abandon --continue");

    const none = [
      "End nothing, but delete keys that no version of the secret has, once they are ten minutes old.",
    ];
    expect(nothing).toEqual([none, none, none, ["Withdraw nothing."]]);
    expect(inOverlap).toEqual([
      ["Nothing is ended yet: add --wait to wait until then, or --now to end it at once."],
      ["End now what the API key replaced."],
      [expect.stringMatching(/^Wait until 2\S+Z, and end what the API key replaced\.$/)],
      ["Withdraw nothing."],
    ]);
    expect(unsure).toMatchObject({ exitCode: 3, json: [{ error: { code: "NO_MANAGEMENT" } }] });
    expect(entered.stdout).toContain(
      "Without --dry-run: Withdraw the pending value of the webhook's password.",
    );
  });

  it("says what is stored, and how to continue, where the platform stops answering", async () => {
    const faults = `${world.platform.url}/_platform/faults`;
    onTestFinished(async () => void (await fetch(faults, { method: "DELETE" })));
    const sleep = async () => {
      const rules = [{ on: "request", fault: "serverError", status: 503 }];
      await fetch(faults, { method: "PUT", body: JSON.stringify({ seed: 1, rules }) });
    };

    const stopped = await onApp("webhook-password --yes", { edges: { sleep } });
    await fetch(faults, { method: "DELETE" });
    const done = await onApp("webhook-password --yes --json");

    expectEnd(
      stopped,
      7,
      /stored as pending, and the one in use stays[\s\S]*rotate --local webhook-password --app local-app/,
    );
    expect(done.json).toMatchObject([{ state: "overlapping", begun: false }]);
  });

  it("takes a pending rotation back", async () => {
    await forgetManagement(world);
    await onApp("webhook-password --yes");

    const unsure = await onApp("finish --abandon --yes --json");
    const abandoned = await onApp("finish --abandon --continue --yes --json");
    const again = await onApp("finish --abandon --continue --yes --json");

    expect(unsure).toMatchObject({ exitCode: 3, json: [{ error: { code: "NO_MANAGEMENT" } }] });
    expect(abandoned.json).toMatchObject([{ state: "abandoned", things: ["webhook-password"] }]);
    expect(again.json).toMatchObject([{ state: "idle" }]);
    expect(await deliveryAfter(world)).toMatchObject({ status: 200 });
  });

  describe("with a key that the platform does not accept any more", () => {
    beforeEach(async () => {
      await world.cloud.putAppSecret({ ...secretOf(world), apiKey: "0".repeat(40) });
    });

    it("says that another one is needed", async () => {
      const { exitCode, json } = await onApp("api-key --yes --json");

      expect(exitCode).toBe(4);
      expect(json).toMatchObject([{ error: { code: "AUTH_ERR_APIKEY_NOT_FOUND" } }]);
    });

    it("asks for one where somebody sits", async () => {
      expectEnd(await onApp("api-key", { answers: [true, world.app.fullAccessKey] }), 0);
      expect(await currentKey(world)).toBe(world.app.fullAccessKey);
    });

    it("says in place of doing harm what to type, where the overlap of one is to end", async () => {
      await onApp("api-key --api-key-stdin --yes", { stdin: world.app.fullAccessKey });
      const { db } = world.platform.services;
      deleteApiKey({ db, appId: world.app.appId }, world.app.fullAccessKey);
      const other = {
        apiKey: "a".repeat(40),
        name: "from the dashboard",
        createdAt: 0,
        createdBy: "somebody",
      };
      putApiKey({ db, appId: world.app.appId }, { ...other, scope: "fullAccess" });

      const finish = await onApp("finish --now --yes --json");
      const rotated = await onApp("api-key --api-key-stdin --revoke-now --yes --json", {
        stdin: other.apiKey,
      });

      const typed = "npx cometchat-functions rotate --local api-key --api-key-stdin --app local-app";
      expect(finish).toMatchObject({
        exitCode: 4,
        json: [{ error: { hint: expect.stringContaining(typed) } }],
      });
      expect(rotated).toMatchObject({ exitCode: 0, json: [{ state: "rotated", begun: true }] });
      expect(await keysOf(world)).toEqual([world.app.authOnlyKey, other.apiKey].toSorted());
      expect(await currentKey(world)).toBe(other.apiKey);
    });

    it("calls no old one valid", async () => {
      const { stdout } = await onApp("api-key --api-key-stdin --yes", { stdin: world.app.fullAccessKey });

      expect(stdout).toBe("Rotated for app local-app: the new one is in use.\n");
    });

    it("asks for one, hidden, on a terminal that stands for standard input", async () => {
      const answers = [world.app.fullAccessKey, true];
      expectEnd(
        await onApp("api-key --api-key-stdin", {
          answers,
          edges: { readStdin: () => Promise.reject(new Error("shows what is typed")) },
        }),
        0,
      );
      expect(await currentKey(world)).toBe(world.app.fullAccessKey);
    });

    it("reads none where a terminal would show it", async () => {
      expectEnd(
        await onApp("api-key --api-key-stdin --yes", {
          edges: { isStdinTerminal: true },
        }),
        2,
        "a terminal that would show the secret",
      );
    });

    it("says in a rehearsal that it would be replaced at once", async () => {
      await onApp("api-key --api-key-stdin --yes", { stdin: world.app.fullAccessKey });
      const { stdout } = await onApp("api-key --revoke-now --dry-run");

      expect(stdout).toContain("3. Immediately delete the secret's other keys on the platform.");
    });

    it("takes none whose scope is too small", async () => {
      const stdin = world.app.authOnlyKey;
      const { exitCode, json } = await onApp("api-key --api-key-stdin --yes --json", {
        stdin,
      });

      expect(exitCode).toBe(4);
      expect(json).toMatchObject([{ error: { code: "GIVEN_REFUSED" } }]);
      expect(await currentKey(world)).toBe("0".repeat(40));
    });
  });

  it.each([
    ["rotate api-key --local --app nobody", 6, "There is no secret cometchat-functions/local/nobody"],
    ["rotate api-key --local --app local-app --overlap 1m", 2, "--overlap is at least 5m"],
    ["rotate webhook-password --local --app local-app --overlap 400d", 2, "at most 30d"],
    ["rotate schedule --local --now", 2, "rotate schedule does not take --now."],
    ["rotate secrets --local", 2, '"secrets" cannot be rotated.'],
    ["rotate secrets --local", 2, "Type rotate with one of api-key, webhook-password, finish, schedule."],
  ])("refuses %j", async (args, expected, words) => {
    expectEnd(await chat(args), expected, words);
  });

  it("shows no secret", async () => {
    const ran = [];
    for (const words of [
      "api-key --yes",
      "webhook-password --yes",
      "finish --now --yes",
      "finish --dry-run",
    ]) {
      ran.push(await onApp(words), await onApp(`${words} --json`));
    }
    const said = ran.map(({ stdout, stderr }) => stdout + stderr).join("");
    const { current } = await versionsOf(world).read();
    const webhook = await versionsOf(world, "/webhook").read();

    const secrets = [
      world.app.fullAccessKey,
      world.webhook.password,
      current.fields.apiKey,
      webhook.current.fields.webhookPassword,
    ];
    for (const secret of secrets) expect(said).not.toContain(String(secret));
    expect(said).toContain("local-app");
  });
});

const versionsOf = (world: LocalStack, name = "") =>
  createSecretVersions(
    createAwsCaller({
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_SECRETS_MANAGER: world.cloud.endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER,
    }),
    `${world.cloud.outputs.SecretPrefix}/${world.app.appId}${name}`,
  );

/** Sends a message; gives what its delivery was answered. */
async function deliveryAfter({ platform, app }: LocalStack) {
  const response = await fetch(`${platform.appUrl(app.appId)}/messages`, {
    method: "POST",
    headers: { apikey: app.fullAccessKey, onBehalfOf: "alice", "content-type": "application/json" },
    body: JSON.stringify({
      receiver: "bob",
      receiverType: "user",
      category: "message",
      type: "text",
      data: { text: "hello" },
    }),
  });
  await response.arrayBuffer();
  await platform.idle();
  return platform.deliveries().at(-1)?.attempts.at(-1);
}

async function currentKey(world: LocalStack) {
  return (await versionsOf(world).read()).current.fields.apiKey;
}

async function currentPassword(world: LocalStack) {
  return (await versionsOf(world, "/webhook").read()).current.fields.webhookPassword;
}

async function forgetManagement(world: LocalStack) {
  const secretId = `${world.cloud.outputs.SecretPrefix}/management`;
  await forgetSecret(world.cloud, secretId);
  onTestFinished(() => world.cloud.putSecret(secretId, defaultSeed.management));
}

/** The keys of the app, as another server's key lists them. */
async function keysOf({ platform, app }: LocalStack): Promise<readonly string[]> {
  return listApiKeys({ db: platform.services.db, appId: app.appId })
    .map(({ apiKey }) => apiKey)
    .toSorted();
}
