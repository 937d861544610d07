import { stripVTControlCharacters } from 'node:util';
import { decodeQR } from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { qrMatrix } from '../../src/qr/matrix.ts';
import { renderQr } from '../../src/terminal/qr.ts';
import { fromAfar, type Picture, rasterise } from '../support/ansi-raster.ts';
import { jsQR } from '../support/read-png-code.ts';
import { themes } from '../support/themes.ts';

const brCode =
  '00020101021226900014BR.GOV.BCB.PIX2568qrcodes-pix-h.gerencianet.com.br/v2/1945cd30c786425ab6121bba9f49d4405204000053039865802BR5914GERENCIANET SA6010OURO PRETO62070503***6304E615';

const drawn = (text: string, ascii = false): string => {
  const rendered = renderQr(qrMatrix(text), { columns: 200, ascii });
  if (!rendered.fits) throw new Error('it should fit');
  return rendered.text;
};
const painted = (theme: string, gap: number, ascii = false): Picture => {
  const palette = themes[theme];
  if (palette === undefined) throw new Error(`no theme ${theme}`);
  return rasterise(drawn(brCode, ascii), palette, gap);
};
const scanned = ({ data, width, height }: Picture): string | undefined => jsQR(data, width, height)?.data;

describe('a QR code in the terminal', () => {
  it.each(Object.keys(themes))('scans pixel by pixel on the %s theme', (theme) => {
    expect(scanned(painted(theme, 0))).toBe(brCode);
  });

  it.each(Object.keys(themes))('scans from afar with gaps between lines on the %s theme', (theme) => {
    expect(scanned(fromAfar(painted(theme, 1), 4))).toBe(brCode);
  });

  it.each(Object.keys(themes).flatMap((theme) => [1, 2].map((gap) => [theme, gap] as const)))(
    'scans with another reader on the %s theme with gaps of %i pixels',
    (theme, gap) => {
      expect(decodeQR(painted(theme, gap), { timeLimit: 2000 })).toBe(brCode);
    },
  );

  it.each(Object.keys(themes))('scans on the %s theme where it is drawn of nothing but spaces', (theme) => {
    expect(stripVTControlCharacters(drawn(brCode, true))).toMatch(/^[ \n]+$/);
    expect(scanned(painted(theme, 0, true))).toBe(brCode);
    expect(scanned(fromAfar(painted(theme, 1, true), 4))).toBe(brCode);
  });

  it('says how much room it needs where it does not fit', () => {
    const matrix = qrMatrix(brCode);
    expect(matrix.size).toBe(53);
    expect(renderQr(matrix, { columns: 56 })).toEqual({ fits: false, columns: 57 });
    expect(renderQr(matrix, { columns: 57 })).toMatchObject({ fits: true });
    expect(renderQr(matrix, { columns: 113, ascii: true })).toEqual({ fits: false, columns: 114 });
    expect(renderQr(matrix, { columns: 114, ascii: true })).toMatchObject({ fits: true });
  });

  it('sets both colours on every line and leaves none set behind it', () => {
    for (const line of drawn(brCode).trimEnd().split('\n')) {
      expect(line.startsWith('\u001b[38;5;')).toBe(true);
      expect(line.endsWith('\u001b[0m')).toBe(true);
    }
  });
});
