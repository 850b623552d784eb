import { expect, it } from "vitest";
import { shellText } from "../../../cli/shell-text.ts";

it("quotes a key so that a shell executes no part of it", () => {
  expect(shellText("app|$(id)|it's")).toBe("'app|$(id)|it'\\''s'");
});
