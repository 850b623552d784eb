/** What the platform under load holds; both processes know it. */
export const loadAppId = "load-app";
export const fullAccessKey = "a".repeat(40);
export const loadUsers = 100;
export const loadGroups = 5;
export const storedMessages = 100_000;
export const userUid = (index: number): string => `user-${index}`;
export const groupGuid = (index: number): string => `group-${index}`;
