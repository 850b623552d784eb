import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { callSecrets, forgetSecret, secretNow } from "../helpers/cloud-data.ts";
import { createProjectFolder, createRunChat, expectEnd, type RunChat } from "../helpers/run-chat.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";

let world: LocalStack;
let shop: { readonly appId: string; readonly key: string; readonly weakKey: string };

beforeAll(async () => {
  world = await startPatientWorld();
  shop = await createApp("Shop");
});
afterAll(() => world?.close());

let project: ReturnType<typeof createProjectFolder>;
let chat: RunChat;
beforeEach(() => {
  project = createProjectFolder();
  chat = createRunChat(project.folder, world.cloud);
});
afterEach(async () => {
  project.remove();
  await forgetSecret(world.cloud, secretId());
  await forgetSecret(world.cloud, webhookSecretId());
});

const secretId = () => `cometchat-functions/local/${shop.appId}`;
const webhookSecretId = () => `${secretId()}/webhook`;
const appsFile = () => readFileSync(join(project.folder, "config/apps.yml"), "utf8");
const add = (...more: string[]) =>
  chat(["setup --app", shop.appId, "--local", "--app-region", "us", "--api-key-stdin", "--yes", ...more], {
    stdin: `${shop.key}\n`,
  });

describe("setup --app", () => {
  it.each(["", "--app-region us", "--dry-run"])(
    "names the seed, where the platform lacks the app: %j",
    async (more) => {
      const refused = await chat(`setup --app shop-two --local ${more}`);

      expectEnd(
        refused,
        6,
        "The platform has no app shop-two.",
        "Add { appId: shop-two } to the apps of seed.yml (docs/testing.md), end the stack, then: npm start -- --data <folder> --seed seed.yml",
      );
    },
  );

  it("advises the seed in each of the doctor's lines, where the platform lacks a listed app", async () => {
    writeFileSync(
      join(project.folder, "config/apps.yml"),
      appsFile().replace("  - local-app", "  - local-app\n  - shop-two"),
    );

    const { json } = await chat("doctor --local --app shop-two --json");

    const says = JSON.stringify(json);
    expect(says).toContain("The app has no secret.");
    expect(says).toContain("--seed seed.yml");
    expect(says).not.toContain("setup --app shop-two");
  });

  it("makes the app's secret with a password of its own, and lists the app", async () => {
    const { exitCode, stdout, stderr } = await add();

    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: "" });
    expect(stderr).toContain("npm start -- --data <folder>");
    expect(appsFile()).toContain(shop.appId);
    expect(await secretNow(world.cloud, secretId())).toEqual({
      appId: shop.appId,
      region: "us",
      apiKey: shop.key,
    });
    const webhook = await secretNow(world.cloud, webhookSecretId());
    expect(webhook).toEqual({
      appId: shop.appId,
      webhookUsername: "platform",
      webhookPassword: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
    });
    expect(stdout + stderr).not.toContain(shop.key);
    expect(stdout + stderr).not.toContain(String(webhook.webhookPassword));
  });

  it("touches no other app: neither a byte of its secret nor of the list", async () => {
    const other = `cometchat-functions/local/${world.app.appId}`;
    const before = { secret: await describeSecret(other), list: appsFile() };

    await add();

    expect(await describeSecret(other)).toEqual(before.secret);
    expect(appsFile()).toBe(before.list.replace("  - local-app\n", `  - local-app\n  - ${shop.appId}\n`));
  });

  it.each([
    ["no region", "--api-key-stdin", "Add --app-region us, eu or in."],
    ["no key", "--app-region us", "Add --api-key-stdin, and write the key to standard input."],
    ["a region that there is not", "--app-region usa --api-key-stdin", 'no region "usa"'],
    ["an empty key", "--app-region us --api-key-stdin", "No API key was given."],
  ])("says which option is missing for %s", async (_case, options, message) => {
    expectEnd(await chat(`setup --app ${shop.appId} --local --yes ${options}`), 2, message);
    expect(await stateOf(secretId())).toBe("not there");
  });

  it.each(["management", "management-2", "a b", "../x", "-x"])(
    "refuses %j, which no app can be",
    async (appId) => {
      expectEnd(await chat(["setup --local", `--app=${appId}`]), 2, `"${appId}" cannot be an app`);
    },
  );

  it("tells a key of too small a scope, another app's key and another region apart, and changes nothing", async () => {
    const tell = async (key: string, region: string) => {
      const { exitCode, json } = await chat(
        ["setup --app", shop.appId, "--local", "--app-region", region, "--api-key-stdin", "--json", "--yes"],
        { stdin: key },
      );
      return [exitCode, ...json.map((one) => Object(one).error.code)];
    };

    expect(await tell(shop.weakKey, "us")).toEqual([4, "KEY_TOO_WEAK"]);
    expect(await tell(world.app.fullAccessKey, "us")).toEqual([4, "KEY_REFUSED"]);
    expect(await tell(shop.key, "eu")).toEqual([2, "NO_SUCH_APP"]);
    expect(await stateOf(secretId())).toBe("not there");
    expect(appsFile()).not.toContain(shop.appId);
  });

  it("fills in what an unfinished secret lacks, and keeps the rest", async () => {
    await world.cloud.putSecret(secretId(), {
      appId: shop.appId,
      region: "eu",
      apiKey: "",
      ticketToken: "of-the-team",
    });

    await world.cloud.putSecret(webhookSecretId(), { webhookPassword: "already-at-the-platform" });

    const { stderr } = await add();

    expect(stderr).toContain("completed");
    expect(await secretNow(world.cloud, secretId())).toMatchObject({
      region: "us",
      apiKey: shop.key,
      ticketToken: "of-the-team",
    });
    expect(await secretNow(world.cloud, webhookSecretId())).toEqual({
      appId: shop.appId,
      webhookUsername: "platform",
      webhookPassword: "already-at-the-platform",
    });
  });

  it("refuses to put another key into a complete secret, which rotation does without a loss", async () => {
    await world.cloud.putSecret(secretId(), {
      appId: shop.appId,
      region: "us",
      apiKey: "another-key-of-this-app",
      webhookUsername: "platform",
      webhookPassword: "a-password",
    });

    expectEnd(await add(), 3, `rotate --local api-key --app ${shop.appId}`);
    expect(await secretNow(world.cloud, secretId())).toMatchObject({ apiKey: "another-key-of-this-app" });
  });

  it("says what to write by hand where the list is written as no command can edit it", async () => {
    writeFileSync(join(project.folder, "config/apps.yml"), "local: &all\n  - local-app\nprod: *all\n");

    expectEnd(await add(), 3, `Edit the file: the stage local must list local-app, ${shop.appId}`);
    expect(appsFile()).toBe("local: &all\n  - local-app\nprod: *all\n");
  });
});

describe("status", () => {
  it("names an app that is listed and not served, and a secret that is not complete, with what is to be typed", async () => {
    const well = await chat("status --local");
    await add();
    await world.cloud.putSecret("cometchat-functions/local/local-app/webhook", { appId: "local-app" });

    const { exitCode, stdout } = await chat("status --local");

    expect([well.exitCode, well.stdout]).toEqual([
      0,
      expect.stringContaining("✓ nothing that is looked at needs attention"),
    ]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      `config/ names apps that are not deployed: ${shop.appId}.  → End the running npm start, then: npm start`,
    );
    expect(stdout).toMatch(/App local-app: The app's secret is not complete.*setup --app local-app --local/);
  });
});

describe("remove --app", () => {
  it("takes the app out of the list, and removes its secret recoverably; what comes back is the same", async () => {
    await add();
    const now = async () => [
      await secretNow(world.cloud, secretId()),
      await secretNow(world.cloud, webhookSecretId()),
    ];
    const before = await now();

    const removed = await chat(`remove --app ${shop.appId} --local --yes --recovery-days 7 --json`);
    const states = [await stateOf(secretId()), await stateOf(webhookSecretId())];
    const again = await add();

    expect(removed.exitCode).toBe(0);
    expect(removed.json).toMatchObject([{ list: "removed", secret: { outcome: "removed" } }]);
    expect(Date.parse(Object(removed.json[0]).secret.recoverableUntil) - Date.now()).toBeGreaterThan(
      6.9 * 86_400_000,
    );
    expect(states).toEqual(["being deleted", "being deleted"]);
    expect(again.stderr).toContain("restored");
    expect(await now()).toEqual(before);
  });

  it("keeps the secret while deployed functions serve the app, and says how to go on", async () => {
    expectEnd(
      await chat("remove --app local-app --local --yes"),
      7,
      "kept while it is served",
      "then remove the secret: npx cometchat-functions remove --app local-app --local",
    );
    expect(appsFile()).not.toMatch(/^ +- local-app/m);
    expect(await stateOf("cometchat-functions/local/local-app")).toBe("there");
  });

  it("keeps the secret for good when told to", async () => {
    await add();

    expectEnd(await chat(`remove --app ${shop.appId} --local --yes --keep-secret`), 0);
    expect(await stateOf(secretId())).toBe("there");
  });

  it("refuses while the app has files of its own, which nothing would read", async () => {
    await add();
    mkdirSync(join(project.folder, "config/apps", shop.appId), { recursive: true });
    writeFileSync(join(project.folder, "config/apps", shop.appId, "replies.yml"), "maxAge: 1h\n");

    expectEnd(
      await chat(`remove --app ${shop.appId} --local --yes`),
      3,
      `Delete config/apps/${shop.appId}/ first (replies.yml)`,
    );
    expect(appsFile()).toContain(shop.appId);
  });

  it("does nothing unasked, and says that there is no such app", async () => {
    await add();

    const unasked = await chat(`remove --app ${shop.appId} --local`);
    const unknown = await chat("remove --app unknown-app --local --yes");

    expect([unasked.exitCode, unknown.exitCode]).toEqual([3, 6]);
    expect(await stateOf(secretId())).toBe("there");
  });
});

describe("before a stage is deployed", () => {
  it("makes a secret under the name that its functions will look for", async () => {
    const env = ofStage();

    const { stderr } = await addToStage(env);
    const state = await stateOf(`cometchat-functions/prod/${shop.appId}`);
    await forgetSecret(world.cloud, `cometchat-functions/prod/${shop.appId}`);

    // This folder cannot be deployed.
    expect(stderr).toContain(`secret cometchat-functions/prod/${shop.appId}: made`);
    expect(state).toBe("there");
  });
});

describe("without rights, or without a network,", () => {
  it.each([
    [
      "Secrets Manager",
      "AWS_ENDPOINT_URL_SECRETS_MANAGER",
      '{"__type":"AccessDeniedException","Message":"No."}',
    ],
    [
      "CloudFormation",
      "AWS_ENDPOINT_URL_CLOUDFORMATION",
      "<ErrorResponse><Error><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>",
    ],
  ])("setup changes nothing where %s refuses", async (_service, variable, answer) => {
    const refusing = await startLocalServer((_, response) => {
      response.writeHead(403).end(answer);
    });
    const before = appsFile();

    const ran = await addToStage({ ...ofStage(), [variable]: refusing.url });
    await refusing.close();

    expectEnd(ran, 4, "Check which credentials this shell has");
    expect(appsFile()).toBe(before);
  });

  it.each(["AWS_ENDPOINT_URL_SECRETS_MANAGER", "CHAT_BASE_URL_TEMPLATE"])(
    "setup changes nothing where nobody answers at %s",
    async (variable) => {
      const silent = await startLocalServer(() => {});
      await silent.close();
      const before = appsFile();

      expectEnd(await addToStage({ ...ofStage(), [variable]: silent.url }), 5);
      expect(await stateOf(`cometchat-functions/prod/${shop.appId}`)).toBe("not there");
      expect(appsFile()).toBe(before);
    },
  );
});

/** The variables of a shell in which the stages' AWS is the local one, where nothing is deployed but the stage local. */
function ofStage(): Readonly<Record<string, string>> {
  const { AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL_CLOUDFORMATION, AWS_ENDPOINT_URL_SECRETS_MANAGER } =
    world.cloud.endpoints;
  return {
    AWS_ACCESS_KEY_ID: "somebody",
    AWS_SECRET_ACCESS_KEY: "of-a-test",
    AWS_ENDPOINT_URL_STS,
    AWS_ENDPOINT_URL_CLOUDFORMATION,
    AWS_ENDPOINT_URL_SECRETS_MANAGER,
    CHAT_BASE_URL_TEMPLATE: `${world.platform.url}/{appId}.{service}-{region}/v3`,
  };
}

function addToStage(env: Readonly<Record<string, string>>) {
  const args = [
    "setup",
    "--app",
    shop.appId,
    "--stage",
    "prod",
    "--app-region",
    "us",
    "--api-key-stdin",
    "--yes",
  ];
  return chat(args, { stdin: shop.key, edges: { env } });
}

/** Makes an app more on the emulated platform. */
async function createApp(name: string): Promise<typeof shop> {
  const management = createManagementClient({
    credentials: defaultSeed.management,
    baseUrl: world.platform.managementUrl,
  });
  const { id, apiKeys } = await management.apps.create({ name, region: "us" });
  const keys = Object.values(apiKeys ?? {}).map((key) => ({ scope: "", apiKey: "", ...Object(key) }));
  const keyOf = (wanted: string) => String(keys.find(({ scope }) => scope === wanted)?.apiKey);
  return { appId: id, key: keyOf("fullAccess"), weakKey: keyOf("authOnly") };
}

async function stateOf(id: string): Promise<string> {
  const facts = await describeSecret(id).catch(() => undefined);
  if (facts === undefined) return "not there";
  return Object(facts).DeletedDate === undefined ? "there" : "being deleted";
}

/** All that AWS shows of a secret, with its versions. */
const describeSecret = (SecretId: string) => callSecrets(world.cloud, "DescribeSecret", { SecretId });
