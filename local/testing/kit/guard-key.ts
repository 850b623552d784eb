export const guardKey = "a-key-of-the-loop-guard-for-tests-0123456789";
