import { ConfigFileError } from "../build/config-text.ts";
import { NoProjectError } from "../build/folders.ts";
import { describeMissingPackage } from "../build/missing-package.ts";
import { AwsCallError } from "../lib/aws/aws-call.ts";
import { awsTroubleIn, missingActionIn } from "../lib/aws/aws-trouble.ts";
import { InvalidSecretError } from "../lib/aws/secrets/parse-secret.ts";
import { describeError } from "../lib/base/describe-error.ts";
import { ChatApiError, ChatUnreachableError, InvalidInputError } from "../lib/chat/errors.ts";
import { refusesCredentials } from "../lib/chat/is-code.ts";
import { lacksFeature, planHint, subscriptionHint } from "../lib/chat/lacks-feature.ts";
import { UnknownFactsError } from "../lib/operate/doctor/deployed-facts.ts";
import {
  RotationError,
  type RotationTrouble,
  SecretChangedError,
} from "../lib/operate/rotation/rotated-credentials.ts";
import { QueueBusyError } from "../lib/queue/wait-for-others.ts";
import { CliError, type ExitName, noRights, notThere } from "./cli-error.ts";

type KnownError = readonly [abstract new (...args: never) => Error, ExitName, code: string, hint?: string];

const knownErrors: readonly KnownError[] = [
  [ConfigFileError, "wrongUse", "WRONG_CONFIG"],
  [NoProjectError, "wrongUse", "NO_PROJECT"],
  [
    UnknownFactsError,
    "notThere",
    "OTHER_VERSION",
    "See why: npx cometchat-functions logs --function doctor --level error --since 1h",
  ],
  [QueueBusyError, "refused", "QUEUE_BUSY", "Nothing was changed. Run it again then."],
  [SecretChangedError, "refused", "SOMEBODY_ELSE", "Run this again in a minute."],
];

export function toFailure(error: unknown, isLocal = false): CliError {
  if (error instanceof CliError) return error;
  for (const [ErrorClass, end, code, hint] of knownErrors) {
    if (error instanceof ErrorClass) return new CliError(end, code, error.message, hint);
  }
  if (error instanceof RotationError) {
    const code = error.trouble.toUpperCase().replaceAll("-", "_");
    return new CliError(endOfTrouble[error.trouble], code, error.message, error.hint);
  }
  const missing = describeMissingPackage(error);
  if (missing !== undefined) return new CliError("wrongUse", "MISSING_PACKAGE", missing);
  const message = error instanceof AwsCallError ? describeCall(error) : describeError(error);
  if (error instanceof InvalidSecretError) return new CliError("unwell", "WRONG_SECRET", message);
  if (error instanceof InvalidInputError) return new CliError("wrongUse", "WRONG_INPUT", message);
  if (error instanceof ChatApiError) return ofPlatform(error, message);
  if (error instanceof ChatUnreachableError) {
    const hint = isLocal ? localHint : "Check the network, and the platform's status page.";
    return new CliError("unreachable", "PLATFORM_UNREACHABLE", message, hint);
  }
  return ofAws(error, message, isLocal) ?? new CliError("fault", "FAULT", message);
}

/** Omits the advice for functions. */
function describeCall({ target, code, said }: AwsCallError) {
  return `${target} failed with ${code}.${said ? ` It said: ${said}` : ""}`;
}

const localHint = "Check that the local stack still runs: npm start";

const endOfTrouble: Readonly<Record<RotationTrouble, ExitName>> = {
  "somebody-else": "refused",
  "unknown-pending": "refused",
  "previous-needed": "refused",
  "secret-unfit": "wrongUse",
  "not-proven": "partlyDone",
  "given-refused": "noRights",
  "nothing-to-switch": "partlyDone",
  "no-management": "partlyDone",
  "bots-unchanged": "partlyDone",
  "too-many-keys": "refused",
  "keys-unlisted": "partlyDone",
};

function ofPlatform(error: ChatApiError, message: string) {
  const { status, code } = error;
  if (status === 401 || status === 403) {
    return noRights(code, message, hintOfRefusal(error));
  }
  if (status === 404) return notThere(code, message);
  if (status !== 429 && status < 500) return new CliError("fault", code, message);
  const hint = "The platform has an outage or throttles. Wait a little and run it again.";
  return new CliError("unreachable", code, message, hint);
}

function hintOfRefusal(error: ChatApiError) {
  const { code } = error;
  if (lacksFeature(error)) return planHint;
  if (code === "ERR_SUBSCRIPTION_EXPIRED") return subscriptionHint;
  if (refusesCredentials(error))
    return "Check the app's API key and its scope: `npx cometchat-functions doctor`.";
  // A proxy may have answered.
  return code.startsWith("HTTP_") ? "Check whether a proxy or a firewall refuses the request." : undefined;
}

function ofAws(error: unknown, message: string, isLocal: boolean) {
  const unreachableBecause = (hint: string) => new CliError("unreachable", "AWS_UNREACHABLE", message, hint);
  switch (awsTroubleIn(error)) {
    case "busy":
      return unreachableBecause("AWS has an outage or throttles. Wait a little and run it again.");
    case "no right": {
      const action = missingActionIn(error);
      const hint = action === undefined ? credentialsHint : `The right ${action} is missing. ${policyHint}`;
      return noRights("NO_RIGHTS", message, hint);
    }
    case "not there":
      return notThere("NOT_THERE", message);
    case "no answer":
      return unreachableBecause(isLocal ? localHint : "Check the network and the region.");
    case undefined:
      return undefined;
  }
}

const credentialsHint =
  "Check which credentials this shell has (AWS_PROFILE comes before AWS_ACCESS_KEY_ID), their rights, and this machine's clock.";
const policyHint =
  "Check which credentials this shell has. The package's infrastructure/policies has ready policies: deployer.json, operator.json.";
