import { describe, expect, it } from "vitest";
import { checkPlain, type PlainRule, plainText } from "../../../lib/chat/check-plain.ts";
import { InvalidInputError } from "../../../lib/chat/errors.ts";

const aWhole: PlainRule = ["a whole number", Number.isInteger];
const check = (value: unknown) => () =>
  checkPlain("configFiles", "options", { stage: plainText, count: aWhole }, value);

describe("checkPlain", () => {
  it.each([{}, { stage: "" }, { stage: "local", count: 0 }, { stage: undefined, count: undefined }])(
    "takes %j",
    (value) => {
      expect(check(value)).not.toThrow();
    },
  );

  it.each([
    [undefined, '"options" is missing; it must be an object.'],
    [null, '"options" must be an object, not null.'],
    [["local"], '"options" must be an object, not array.'],
    ["local", '"options" must be an object, not string.'],
    [{ stage: 7 }, '"stage" must be a text.'],
    [{ stage: null }, '"stage" must be a text.'],
    [{ count: 1.5 }, '"count" must be a whole number.'],
    [{ stge: "local" }, '"stge" must be called stage.'],
    [{ colour: 1 }, '"colour" must be left out: there is no such option. It takes { stage, count }.'],
  ])("refuses %j and says why, without its value", (value, rest) => {
    expect(check(value)).toThrow(InvalidInputError);
    expect(check(value)).toThrow(expect.objectContaining({ message: `Cannot call configFiles: ${rest}` }));
  });

  it("refuses what cannot be looked at", () => {
    const trap = {
      get stage() {
        throw new Error("not yours");
      },
    };

    expect(check(trap)).toThrow(expect.objectContaining({ name: "InvalidInputError", field: "options" }));
  });
});
