/** Text in a colour. Whether there may be any is for `Io.colour` to say, and not for Node to judge once more. */
import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

export const paint = (style: Style, text: string, colour: boolean): string =>
  colour ? styleText(style, text, { validateStream: false }) : text;
