// A process of its own for the consumer's code: hands it what the command line sends, and gives back what it answers. Its log
// goes to standard output, as Lambda has it. The bundle is named by the first argument.
import process from "node:process";
import { pathToFileURL } from "node:url";

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
