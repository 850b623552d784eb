import fc from "fast-check";

/** No lone surrogates. The unit "binary" of fc.string is the same, and takes seconds to build. */
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

export const anyText = (limits: { readonly maxLength?: number } = {}) =>
  fc.string({ ...limits, unit: anyCharacter });
