/** The head of a plain message, a request's or an answer's (RFC 9112): what both readers take it to be. */

/** Longest head that is read here, bytes. */
export const headLimit = 8 * 1024;
/** Where it ends. */
export const blank = Buffer.from('\r\n\r\n');
/** The name of a field (RFC 9110, 5.6.2). */
export const token = /^[\w!#$%&'*+.^`|~-]+$/;
/** A line of it that holds nothing but what can be seen, spaces and tabs. */
export const visible = /^[\t\x20-\x7e]*$/;
