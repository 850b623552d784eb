import * as z from "zod/mini";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Finding, findingSchema } from "../../../lib/doctor/finding.ts";
import { type DrillWorld, startDrillWorld } from "./drill-world.ts";

/** What is broken, what the doctor must say of it, and what mends it. */
interface Drill {
  readonly name: string;
  /** Breaks it. What is needed to mend it may be given. */
  readonly damage: (drill: DrillWorld) => Promise<unknown>;
  readonly check: Finding["check"];
  readonly says: RegExp;
  /** As it stands below the finding. */
  readonly remedy: string;
  /** Types the remedy, or does what it says. */
  readonly mend: (drill: DrillWorld, remedy: string, damaged: unknown) => Promise<unknown>;
  /** It shows by sending a canary alone. */
  readonly isSeenByCanary?: boolean;
}

const app = "local-app";
const typed = (command: string) => `npx cometchat-functions ${command} --local`;
const setUp = typed(`setup --app ${app}`);

const type = async (drill: DrillWorld, remedy: string, options = {}) => {
  const { exitCode, stdout, stderr } = await drill.type(remedy, options);
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
};

const drills: readonly Drill[] = [
  {
    name: "the key was revoked",
    damage: async ({ call, readSecret }) => {
      const { apiKey = "" } = await readSecret();
      const { data } = await call("POST /apikeys", { name: "another", scope: "fullAccess" });
      const other = String(Object(data).apiKey);
      await call(`DELETE /apikeys/${apiKey}`, undefined, other);
      return other;
    },
    check: "key",
    says: /refuses the API key/,
    remedy: typed(`rotate api-key --app ${app} --api-key-stdin`),
    mend: (drill, remedy, other) => type(drill, remedy, { stdin: `${other}\n` }),
  },
];

describe("the drill", () => {
  let drill: DrillWorld;
  const look = async (...options: string[]) => {
    const { json } = await drill.chat(["doctor", "--local", "--json", ...options]);
    return z.parse(z.object({ findings: z.array(findingSchema) }), json[0]).findings;
  };
  const wrongs = async (...options: string[]) => (await look(...options)).filter(({ status }) => status === "wrong");

  beforeAll(async () => {
    drill = await startDrillWorld();
  });
  afterAll(() => drill?.close());

  it("begins and ends with everything well, a canary included", async () => {
    const findings = await look("--canary");

    expect(findings.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(findings.map(({ check }) => check)).toContain("canary");
  });

  it.each(drills)("$name: it is named with its remedy, which works", async (one) => {
    const { damage, check, says, remedy, mend, isSeenByCanary } = one;
    const options = isSeenByCanary ? ["--canary", "--within", "3s"] : [];
    const damaged = await damage(drill);

    const found = await wrongs(...options);
    const named = found.find((finding) => finding.check === check);
    await mend(drill, named?.remedy ?? "", damaged);
    const left = await wrongs("--canary");

    expect({ says: named?.says, remedy: named?.remedy }).toEqual({ says: expect.stringMatching(says), remedy });
    expect(found.filter((finding) => finding.check !== check)).toEqual([]);
    expect(left).toEqual([]);
  });
});
