import jsQRModule from 'jsqr';
import { describe, expect, it } from 'vitest';
import { qrMatrix } from '../../src/qr/matrix.ts';
import { renderQr } from '../../src/terminal/qr.ts';
import { rasterise } from '../support/ansi-raster.ts';
import { themes } from '../support/themes.ts';

const jsQR = jsQRModule as unknown as typeof jsQRModule.default;
const brCode =
  '00020101021226900014BR.GOV.BCB.PIX2568qrcodes-pix-h.gerencianet.com.br/v2/1945cd30c786425ab6121bba9f49d4405204000053039865802BR5914GERENCIANET SA6010OURO PRETO62070503***6304E615';

const drawn = (text: string): string => {
  const rendered = renderQr(qrMatrix(text), { columns: 200 });
  if (!rendered.fits) throw new Error('it should fit');
  return rendered.text;
};
const scanned = (text: string, theme: string, gap: number): string | undefined => {
  const palette = themes[theme];
  if (palette === undefined) throw new Error(`no theme ${theme}`);
  const { data, width, height } = rasterise(drawn(text), palette, gap);
  return jsQR(data, width, height)?.data;
};

describe('a QR code in the terminal', () => {
  it.each(Object.keys(themes).flatMap((theme) => [0].map((gap) => [theme, gap] as const)))(
    'scans on the %s theme with line gaps of %i pixels',
    (theme, gap) => {
      expect(scanned(brCode, theme, gap)).toBe(brCode);
    },
  );

  it('says how much room it needs where it does not fit', () => {
    const matrix = qrMatrix(brCode);
    expect(matrix.size).toBe(53);
    expect(renderQr(matrix, { columns: 56 })).toEqual({ fits: false, columns: 57, rows: 29 });
    expect(renderQr(matrix, { columns: 57 })).toMatchObject({ fits: true });
    expect(renderQr(matrix, { columns: 57, rows: 28 })).toMatchObject({ fits: false });
    expect(renderQr(matrix, { columns: 57, rows: 29 })).toMatchObject({ fits: true });
  });

  it('sets both colours on every line and leaves none set behind it', () => {
    for (const line of drawn(brCode).trimEnd().split('\n')) {
      expect(line.startsWith('\u001b[38;5;')).toBe(true);
      expect(line.endsWith('\u001b[0m')).toBe(true);
    }
  });
});
