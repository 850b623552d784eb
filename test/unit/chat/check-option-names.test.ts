import { describe, expect, it } from "vitest";
import { checkOptionNames } from "../../../lib/chat/check-plain.ts";
import { InvalidInputError } from "../../../lib/chat/errors.ts";

const known = ["ttl", "where", "maxAge"];
const check = (given: object) => () => checkOptionNames("onTrigger", known, given);

describe("checkOptionNames", () => {
  it.each([{}, { ttl: 1 }, { maxAge: 1, where: {}, ttl: undefined }])("takes %j", (given) => {
    expect(check(given)).not.toThrow();
  });

  it.each([
    ["whree", "called where"],
    ["MAXAGE", "called maxAge"],
    ["maxage", "called maxAge"],
    ["max_age", "called maxAge"],
    ["tll", "called ttl"],
    ["tt", "called ttl"],
    ["when", "left out: there is no such option. It takes { ttl, where, maxAge }"],
    ["ttll", "called ttl"],
    ["wh", "left out: there is no such option. It takes { ttl, where, maxAge }"],
    // Of short names, two letters are too much of the name to guess.
    ["to", "left out: there is no such option. It takes { ttl, where, maxAge }"],
    ["heres", "called where"],
    ["maximum", "left out: there is no such option. It takes { ttl, where, maxAge }"],
    ["", "left out: there is no such option. It takes { ttl, where, maxAge }"],
  ])("refuses the name %j: it must be %s", (name, rule) => {
    expect(check({ ttl: 1, [name]: 1 })).toThrow(InvalidInputError);
    expect(check({ ttl: 1, [name]: 1 })).toThrow(
      expect.objectContaining({ operation: "onTrigger", field: name, rule }),
    );
  });

  it("names the first that is not known, a name of every object's too", () => {
    expect(check({ toString: 1, colour: 1 })).toThrow(expect.objectContaining({ field: "toString" }));
  });
});
