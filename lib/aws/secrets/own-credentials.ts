/**
 * Returns whether a family of deliveries has credentials of its own in the app's secret. Otherwise the
 * webhook's apply.
 */
export const ownCredentialsIn = (textOf: (field: string) => string | undefined) => (family: string) =>
  (textOf(`${family}Username`) ?? textOf(`${family}Password`)) !== undefined;
