import { readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { remediesFor } from "../../lib/operate/doctor/remedies.ts";
import { refused } from "../cli-error.ts";
import { typedTarget } from "../doctor/doctor-of-target.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import type { Target } from "../target/target.ts";
import { readLegalHolds } from "./open-person.ts";

interface HoldContext {
  readonly target: Pick<Target, "kind" | "stage" | "chosen" | "callAws" | "stack">;
  readonly out: Pick<Output, "note">;
  readonly edges: Pick<CliEdges, "projectFolder">;
}

/** Unites the checkout's and the deployment's holds. @throws CliError, UnknownFactsError, AwsCallError */
export async function refuseHeld({ target, out, edges }: HoldContext, appId: string, uid: string) {
  const held = "The user is under a legal hold. Nothing was changed.";
  if ((await readLegalHolds(edges.projectFolder, target.stage, appId)).has(uid)) {
    const hint = "When the hold ends, remove the uid from `legalHold` in config/users.yml, and deploy.";
    throw refused("LEGAL_HOLD", held, hint);
  }
  const doctor = (await target.stack()).physicalId("DoctorLambdaFunction");
  const { person } = await readDeployedFacts(target.callAws, doctor, { appId, uid });
  if (person === undefined) {
    out.note(
      "The deployed version reports neither its legal holds nor its declared users: only this checkout's holds were read.",
    );
    return;
  }
  if (person.isHeld) {
    const hint =
      "Run git pull: the deployed config/users.yml has the hold, and this one does not. If the hold has ended, deploy that first.";
    throw refused("LEGAL_HOLD", held, hint);
  }
  if (person.isDeclared) {
    throw refused(
      "DECLARED_USER",
      "The deployed config/users.yml declares the user, so that the nightly job would create the user again. Nothing was changed.",
      `Remove the user from config/users.yml, then: ${remediesFor(typedTarget(target)).deploy}`,
    );
  }
}
