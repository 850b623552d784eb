/** Says that the messages may be in somebody else's hands by now. */
export class HoldOverError extends Error {
  override readonly name = "HoldOverError";

  constructor() {
    super("The time was over for which the messages are held. Run it again for the rest.");
  }
}
