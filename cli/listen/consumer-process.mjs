// Passes the command's requests to the consumer's code. Its log goes to standard output, as on Lambda.
// Arguments: the bundle, and how far a local stack's clock is ahead.
import process from "node:process";
import { pathToFileURL } from "node:url";

const machineNow = Date.now;
const aheadMs = Number(process.argv[3]);
Date.now = () => machineNow() + aheadMs;

const { handler } = await import(pathToFileURL(process.argv[2] ?? "").href);

process.on("message", async ({ id, event, timeoutMs }) => {
  const endsAt = Date.now() + timeoutMs;
  const context = { awsRequestId: id, getRemainingTimeInMillis: () => endsAt - Date.now() };
  try {
    process.send?.({ id, answer: await handler(event, context) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });
