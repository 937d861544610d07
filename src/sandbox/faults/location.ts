/** What can be sent in a Location header. For the schema and, without zod, the flag. */
export const locationForm = /^[!-~]{1,2048}$/;
export const locationWords = 'must be an address without spaces, in ASCII';
