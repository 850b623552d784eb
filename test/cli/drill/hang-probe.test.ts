import { appendFileSync } from "node:fs";
import { it } from "vitest";
import { writeToSupport } from "../../helpers/write-to-support.ts";
import { startDrillWorld } from "./drill-world.ts";

const files = {
  "config/canary.yml": "users:\n",
  "config/triggers.yml": "local: forever, careless, hopeful\n",
  "functions/own/triggers.ts": `
    import { onTrigger } from "../../lib/handle/on-trigger.ts";
    const on = (word: string) => ({ where: { text: { words: [word] } } });
    export const ownTriggers = {
      forever: onTrigger("message_sent", on("hang"), async () => { await new Promise(() => {}); }),
      careless: onTrigger("message_sent", on("falter"), async () => {}),
      hopeful: onTrigger("message_sent", on("hope"), async () => { }),
    };`,
};
it("probe", async () => {
  const drill = await startDrillWorld(files);
  const log = (text: string) => appendFileSync("/tmp/m31/probe.log", `${new Date().toISOString().slice(14,19)} ${text}\n`);
  await writeToSupport(drill.world, "hang");
  await writeToSupport(drill.world, "hang again");
  log("sent");
  for (let i = 0; i < 70; i++) {
    const { json } = await drill.chat("doctor --local --json");
    log(JSON.stringify((json[0] as any).findings.filter((one: any) => one.status !== "ok" || one.check === "failing").map((one: any) => [one.check, one.says, one.status])));
    await new Promise((done) => setTimeout(done, 4000));
    if (i % 10 === 0) { const { stdout } = await drill.chat("status --local"); log(stdout.split("\n").filter((l) => /✗|✓/.test(l)).join(" / ")); }
  }
  const { stdout } = await drill.chat("logs --local --function processEvents --since 1h --level info --json");
  appendFileSync("/tmp/m31/probe-lines.log", stdout);
  await drill.close();
});
