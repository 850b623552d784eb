import { mergeConfig } from "vitest/config";
import shared from "../../vitest.config.ts";

/** The unit tests alone: a mutant is judged in seconds. */
export default mergeConfig(shared, { test: { include: ["test/unit/**/*.test.ts"] } });
