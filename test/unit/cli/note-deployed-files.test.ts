import { expect, it } from "vitest";
import { noteDeployedFiles } from "../../../cli/app/note-deployed-files.ts";
import type { Stack } from "../../../cli/target/target.ts";

const stack = async () => ({ physicalId: (id: string) => id }) as Stack;

async function notesOf(drift: string | undefined, kind: "local" | "stage" = "stage") {
  const notes: string[] = [];
  const callAws = async () => {
    if (drift === undefined) throw new Error("no right");
    return { Environment: { Variables: { APP_DRIFT: drift } } };
  };
  const target = { kind, stage: "prod", chosen: [], callAws, stack };
  await noteDeployedFiles({ target, out: { note: (text) => void notes.push(text) } });
  return notes;
}

it.each(["repair", undefined])(
  "names the deployment that keeps a changed setting if `drift` is %s",
  async (drift) => {
    expect(await notesOf(drift)).toEqual([
      expect.stringMatching(/^Tonight, .* npx cometchat-functions deploy --stage prod$/),
    ]);
  },
);

it.each([
  ["report", "stage"],
  ["off", "stage"],
  ["repair", "local"],
] as const)("notes nothing if `drift` is %s and the target is %s", async (drift, kind) => {
  expect(await notesOf(drift, kind)).toEqual([]);
});
