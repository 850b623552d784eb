// The emulated platform in its own process: prints its addresses, and ends with its input.
import { createPlatform } from "cometchat-functions/platform";

const platform = await createPlatform();
console.log(JSON.stringify(platform.connection()));
process.stdin.resume().on("end", () => platform.close());
