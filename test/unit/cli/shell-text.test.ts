import { expect, it } from "vitest";
import { shellText } from "../../../cli/shell-text.ts";

it("writes a key for a shell that runs nothing of it", () => {
  expect(shellText("app|$(id)|it's")).toBe("'app|$(id)|it'\\''s'");
});
