/** Text in a colour. `Io.colour` decides whether there may be any, so Node must not judge it again. */
import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** The text with the codes of its style, or as it is without `colour`. */
export const paint = (style: Style, text: string, colour: boolean): string =>
  colour ? styleText(style, text, { validateStream: false }) : text;
