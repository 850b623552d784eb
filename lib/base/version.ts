/** This package's version, as in package.json. */
export const version = "0.2.0";
