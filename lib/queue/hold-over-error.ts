/** Thrown if another reader may hold the messages by now. */
export class HoldOverError extends Error {
  override readonly name = "HoldOverError";

  constructor() {
    super("The time was over for which the messages are held. Run it again for the rest.");
  }
}
