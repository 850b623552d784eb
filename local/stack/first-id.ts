/** Returns an id above earlier starts' display ids: old links stay unique. 15 digits at most. */
export function firstId(): number {
  return Date.now() * 100;
}
