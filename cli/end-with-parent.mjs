// Ends this process as SIGTERM does once its parent is gone: a killed parent forwards nothing.
import process from "node:process";

if (process.connected) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
