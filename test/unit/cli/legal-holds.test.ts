import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfigFile } from "../../../build/load-config-file.ts";
import { readLegalHolds } from "../../../cli/people/open-person.ts";
import { refuseHeld } from "../../../cli/people/refuse-held.ts";
import type { Stack } from "../../../cli/target/target.ts";
import type { AwsCaller } from "../../../lib/aws/aws-call.ts";
import { personFacts } from "../../../lib/operate/doctor/deployed-facts.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const files = {
  "config/users.yml": "legalHold: [Alice]\n",
  "config/stages/prod/users.yml": "legalHold: [ben]\n",
  "config/apps/shop/users.yml": "legalHold: [cleo]\n",
  "config/apps/school/users.yml": "users: []\n",
};

it("holds every user listed in a file that applies to the app", async () => {
  const folder = temporaryFolder(files);
  const held = async (stage: string, app: string) => [...(await readLegalHolds(folder, stage, app))];

  expect(await held("prod", "shop")).toEqual(["alice", "ben", "cleo"]);
  expect(await held("dev", "school")).toEqual(["alice"]);
});

it("deploys the holds of all files that apply to an app", async () => {
  const folder = temporaryFolder({ ...files, "config/apps.yml": "prod: [shop, school]\n" });

  const source = await loadConfigFile(join(folder, "config/users.yml"), "prod");

  expect(JSON.parse(source.replace(/^export default |;$/g, ""))).toMatchObject({
    default: { legalHold: ["alice", "ben"] },
    apps: { shop: { legalHold: ["alice", "ben", "cleo"] }, school: { legalHold: ["alice", "ben"] } },
  });
});

it.each([
  [{ appId: "shop", uid: "ann" }, { person: { isHeld: true, isDeclared: false } }],
  [{ appId: "shop", uid: "bot" }, { person: { isHeld: false, isDeclared: true } }],
  [{ appId: "other", uid: "ann" }, { person: { isHeld: false, isDeclared: false } }],
  [{}, {}],
])("a deployment asked about %j answers %j", (asked, answer) => {
  const none = { users: [], legalHold: undefined };
  const ofShop = { users: [{ uid: "bot", name: "Bot" }], legalHold: ["ann"] };

  const found = personFacts({ ask: "facts", ...asked }, (appId) => (appId === "shop" ? ofShop : none));

  expect(found).toEqual(answer);
});

describe("an erasure", () => {
  const facts = { appIds: ["shop"], triggers: [], flows: [], needs: [], canaries: [] };
  const erase = async (person: object | undefined, uid = "ann") => {
    const projectFolder = temporaryFolder({ "config/users.yml": "legalHold: [held-here]\n" });
    const [notes, asked]: [string[], unknown[]] = [[], []];
    const callAws: AwsCaller = async ({ input }) => {
      asked.push(input);
      return { ...facts, ...(person && { person }) };
    };
    const stack = async () => ({ physicalId: (id: string) => id }) as Stack;
    const target = { kind: "stage" as const, stage: "prod", chosen: [], callAws, stack };
    const out = { note: (text: string) => void notes.push(text) };
    await refuseHeld({ target, out, edges: { projectFolder } }, "shop", uid);
    return { notes, asked };
  };

  it("is allowed if neither the checkout nor the deployment names the user", async () => {
    expect(await erase({ isHeld: false, isDeclared: false })).toEqual({
      notes: [],
      asked: [{ ask: "facts", appId: "shop", uid: "ann" }],
    });
  });

  it.each([
    [{ isHeld: true, isDeclared: true }, "ann", "LEGAL_HOLD", /^Run git pull/],
    [{ isHeld: false, isDeclared: false }, "held-here", "LEGAL_HOLD", /^When the hold ends/],
    [{ isHeld: false, isDeclared: true }, "ann", "DECLARED_USER", /deploy --stage prod$/],
  ])("is refused if the deployment answers %j about %s", async (person, uid, code, hint) => {
    await expect(erase(person, uid)).rejects.toMatchObject({ code, hint: expect.stringMatching(hint) });
  });

  it("notes that an older deployment does not know holds", async () => {
    const { notes } = await erase(undefined);

    expect(notes).toEqual([expect.stringContaining("only this checkout's holds were read")]);
  });
});
