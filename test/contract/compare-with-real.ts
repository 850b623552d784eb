import process from "node:process";
import { createPlatform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { comparePlatforms } from "./compare-platforms.ts";

// `npx node test/contract/compare-with-real.ts`, with REAL_APP_ID, REAL_REGION and REAL_API_KEY (fullAccess)
// of a test app: runs the same steps on the real platform and on the emulated one, and prints the
// differences.

const { REAL_APP_ID: appId, REAL_REGION: region = "us", REAL_API_KEY: apiKey } = process.env;
if (appId === undefined || apiKey === undefined) {
  process.stderr.write(
    "Set REAL_APP_ID, REAL_API_KEY and, unless it is us, REAL_REGION of an app that may be tried on.\n",
  );
  process.exit(2);
}

const platform = await createPlatform();
try {
  const [app] = defaultSeed.apps;
  const local = {
    appId: app.appId,
    region: app.region,
    apiKey: app.fullAccessKey,
    baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
  };
  const differences = await comparePlatforms({ appId, region, apiKey }, local);
  for (const { step, one, other } of differences) {
    process.stdout.write(
      `${step}\n  only real:     ${one.join(", ") || "–"}\n  only emulated: ${other.join(", ") || "–"}\n`,
    );
  }
  process.stdout.write(`${differences.length} steps differ.\n`);
} finally {
  await platform.close();
}
