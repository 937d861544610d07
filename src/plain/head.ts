/** The head of a plain message, request or answer (RFC 9112), as both readers take it. */

/** The longest head that is read here, in bytes. */
export const headLimit = 8 * 1024;
/** Where it ends. */
export const blank = Buffer.from('\r\n\r\n');
/** The name of a field (RFC 9110, 5.6.2). */
export const token = /^[\w!#$%&'*+.^`|~-]+$/;
/** A line of it that contains only visible characters, spaces and tabs. */
export const visible = /^[\t\x20-\x7e]*$/;
