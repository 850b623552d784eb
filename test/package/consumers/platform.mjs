// The emulated platform in a process of its own: tells how to reach it, and ends with its input.
import { createPlatform } from "cometchat-functions/platform";

const platform = await createPlatform();
console.log(JSON.stringify(platform.connection()));
process.stdin.resume().on("end", () => platform.close());
