/** The version of this program, as in package.json. */
export const version = '0.1.0';
