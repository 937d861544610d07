/** Four colour themes as terminals ship them; the last has sixteen colours that are nearly one. */
import type { Theme } from './ansi-raster.ts';

const rgb = (hex: string): [number, number, number] => [
  Number.parseInt(hex.slice(0, 2), 16),
  Number.parseInt(hex.slice(2, 4), 16),
  Number.parseInt(hex.slice(4, 6), 16),
];
const theme = (foreground: string, background: string, named: string): Theme => ({
  foreground: rgb(foreground),
  background: rgb(background),
  named: named.split(' ').map(rgb),
});

export const themes: Record<string, Theme> = {
  dark: theme(
    'd0d0d0',
    '000000',
    '000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff',
  ),
  light: theme(
    '000000',
    'ffffff',
    '000000 cd3131 00bc00 949800 0451a5 bc05bc 0598bc 555555 666666 cd3131 14ce14 b5ba00 0451a5 bc05bc 0598bc a5a5a5',
  ),
  'solarized dark': theme(
    '839496',
    '002b36',
    '073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3',
  ),
  'low contrast': theme(
    '777777',
    '666666',
    '606060 616161 626262 636363 646464 656565 666666 676767 686868 696969 6a6a6a 6b6b6b 6c6c6c 6d6d6d 6e6e6e 6f6f6f',
  ),
};
