import { problemOfAppId } from "../../build/served-apps.ts";
import { rememberSecret } from "../../lib/base/known-secrets.ts";
import { regions } from "../../lib/chat/address.ts";
import { wrongUse } from "../cli-error.ts";
import type { CliEdges, Questions } from "../edges.ts";

export interface TypedApp {
  readonly appRegion: string | undefined;
  readonly apiKeyStdin: boolean;
}

/** @throws CliError if no app can have this id */
export function checkAppId(appId: string): void {
  const problem = problemOfAppId(appId);
  if (problem !== undefined) throw wrongUse(`"${appId}" cannot be an app: ${problem}.`);
}

/**
 * Takes the region from the option or a question, the key from `readStdin` or a hidden question. Asks nothing
 * with `--json` or without a terminal.
 * @throws CliError that names the option of a missing value, or the invalid value
 */
export async function readAppInput(
  { appRegion, apiKeyStdin }: TypedApp,
  { edges, canAsk }: { readonly edges: Pick<CliEdges, "ask" | "readStdin">; readonly canAsk: boolean },
): Promise<{ readonly region: string; readonly apiKey: string }> {
  const ask = canAsk ? edges.ask : undefined;
  const region = (appRegion ?? (await askedRegion(ask))).trim();
  if (!regions.some((known) => known === region)) {
    throw wrongUse(
      `The platform has no region "${region}".`,
      `--app-region is one of ${regions.join(", ")}.`,
    );
  }
  const typed = apiKeyStdin ? await edges.readStdin() : await askedKey(ask);
  const apiKey = typed.trim();
  rememberSecret(apiKey);
  if (!/^[\x21-\x7e]{1,200}$/.test(apiKey)) {
    throw wrongUse(
      apiKey === "" ? "No API key was given." : "This is not an API key: it contains spaces or line breaks.",
      apiKeyStdin ? "Write only the key to standard input." : "Type or paste only the key.",
    );
  }
  return { region, apiKey };
}

async function askedRegion(ask: Questions | undefined): Promise<string> {
  if (ask === undefined) throw wrongUse("The app's region is missing.", "Add --app-region us, eu or in.");
  return ask.text("The app's region on the platform (us, eu or in)", "us");
}

export const keyQuestion = "The app's REST API key (scope fullAccess)";

async function askedKey(ask: Questions | undefined): Promise<string> {
  if (ask === undefined) {
    throw wrongUse(
      "The app's API key is missing, and there is no terminal to ask for it.",
      "Add --api-key-stdin, and write the key to standard input.",
    );
  }
  return ask.password(keyQuestion);
}
