// Ends this process as SIGTERM does once the one that started it is gone: killed, it passes nothing on.
import process from "node:process";

if (process.connected) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
