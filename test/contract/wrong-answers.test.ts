import { describe, expect, it } from "vitest";
import { wrongAnswers, wrongEchoes } from "./wrong-answers.ts";

describe("wrongAnswers", () => {
  it("change every value, and leave out all", () => {
    const [other, ...nothing] = wrongAnswers({ id: "1", count: 2, on: true, tags: ["a"], names: [] });

    expect(other).toEqual({ id: "other", count: 3, on: false, tags: ["other"], names: ["other"] });
    expect(nothing).toEqual([undefined, null, {}, { success: false }]);
  });
});

describe("wrongEchoes", () => {
  it("change one by one what came back as it was sent, at its place", () => {
    const sent = { uid: "alice", name: "Alice", data: { text: "hi" }, force: true };
    const answer = { uid: "alice", name: "Bob", data: { text: "hi", by: "alice" } };

    expect(wrongEchoes(answer, sent)).toEqual([
      { at: "uid", answer: { ...answer, uid: "other" } },
      { at: "data.text", answer: { ...answer, data: { text: "other", by: "alice" } } },
    ]);
  });

  it("look at each item of a list", () => {
    expect(wrongEchoes([{ uid: "alice" }, { uid: "bob" }], { uid: "bob" })).toEqual([
      { at: "1.uid", answer: [{ uid: "alice" }, { uid: "other" }] },
    ]);
  });
});
