/** The key of the loop guard's marks in tests. */
export const guardKey = "a-key-of-the-loop-guard-for-tests-0123456789";
