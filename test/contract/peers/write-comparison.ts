import { writeComparison } from "./comparison-page.ts";

// npx node test/contract/peers/write-comparison.ts: measures the clients and writes docs/internals/comparison.md anew.
await writeComparison();
