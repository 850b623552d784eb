import { expect, it } from "vitest";
import { readLocalSecrets } from "../../../local/stack/read-local-secrets.ts";

it("reads fields and values, whatever characters a value has", () => {
  expect(readLocalSecrets(["ticket-token=a=b c", "shopUsername=shop"])).toEqual({
    "ticket-token": "a=b c",
    shopUsername: "shop",
  });
  expect(readLocalSecrets()).toEqual({});
});

it.each(["ticket-token", "ticket-token=", "=hidden", "a b=hidden"])(
  "refuses %s without quoting the value",
  (text) => {
    expect(() => readLocalSecrets([text])).toThrow(
      /^--secret wants a field of the app's secret and its value, such as ticket-token=abc\.$/,
    );
  },
);
