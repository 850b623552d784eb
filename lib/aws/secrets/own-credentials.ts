/**
 * Whether a family of deliveries has `<family>Username` or `<family>Password` in the app's secret. Otherwise
 * the webhook's apply.
 */
export function hasOwnCredentials(family: string, textOf: (field: string) => string | undefined): boolean {
  return (textOf(`${family}Username`) ?? textOf(`${family}Password`)) !== undefined;
}
