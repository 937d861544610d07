/**
 * What a terminal would paint for bytes of ours, as RGBA pixels: 256-colour and default colours, half
 * blocks, themes that remap the sixteen named colours, and gaps between lines.
 */
type Rgb = readonly [number, number, number];

export interface Theme {
  readonly foreground: Rgb;
  readonly background: Rgb;
  /** The sixteen named colours, which themes remap. */
  readonly named: readonly Rgb[];
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

const cell = { width: 8, height: 16 };

export function rasterise(text: string, theme: Theme, gap = 0): Picture {
  const margin = 24;
  const lines = text.split('\n').filter((line) => line !== '');
  const columns = Math.max(...lines.map((line) => cellsOf(line, theme).length));
  const width = columns * cell.width + 2 * margin;
  const height = lines.length * (cell.height + gap) + 2 * margin;
  const data = new Uint8ClampedArray(width * height * 4);
  const paint = (x: number, y: number, colour: Rgb) => data.set([...colour, 255], (y * width + x) * 4);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) paint(x, y, theme.background);
  lines.forEach((line, row) => {
    cellsOf(line, theme).forEach(({ glyph, foreground, background }, column) => {
      for (let y = 0; y < cell.height; y++)
        for (let x = 0; x < cell.width; x++)
          paint(
            margin + column * cell.width + x,
            margin + row * (cell.height + gap) + y,
            inked(glyph, y) ? foreground : background,
          );
    });
  });
  return { width, height, data };
}

/** The picture at a distance: each pixel the mean of `times` x `times`, as a camera blurs thin lines. */
export function fromAfar({ width, height, data }: Picture, times: number): Picture {
  const small = { width: Math.floor(width / times), height: Math.floor(height / times) };
  const pixels = new Uint8ClampedArray(small.width * small.height * 4);
  for (let at = 0; at < pixels.length; at++) {
    const x = (Math.floor(at / 4) % small.width) * times;
    const y = Math.floor(at / 4 / small.width) * times;
    let sum = 0;
    for (let step = 0; step < times * times; step++)
      sum += data[((y + Math.floor(step / times)) * width + x + (step % times)) * 4 + (at % 4)] ?? 0;
    pixels[at] = sum / (times * times);
  }
  return { ...small, data: pixels };
}

function inked(glyph: string, y: number): boolean {
  if (glyph === '▀') return y < cell.height / 2;
  if (glyph === '▄') return y >= cell.height / 2;
  if (glyph === '█') return true;
  if (glyph === ' ') return false;
  throw new Error(`the rasteriser has no glyph for ${JSON.stringify(glyph)}`);
}

function cellsOf(line: string, theme: Theme): { glyph: string; foreground: Rgb; background: Rgb }[] {
  let { foreground, background } = theme;
  const cells: { glyph: string; foreground: Rgb; background: Rgb }[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is read here
  for (const [token, codes] of line.matchAll(/\u001b\[([\d;]*)m|[^\u001b]/gu)) {
    if (codes === undefined) {
      cells.push({ glyph: token, foreground, background });
      continue;
    }
    const numbers = codes.split(';').map(Number);
    for (let at = 0; at < numbers.length; at++) {
      const code = numbers[at] ?? 0;
      if (code === 0) ({ foreground, background } = theme);
      else if (code === 38 || code === 48) {
        if (numbers[at + 1] !== 5) throw new Error('only 256-colour sequences are known');
        const colour = palette(numbers[at + 2] ?? 0, theme);
        if (code === 38) foreground = colour;
        else background = colour;
        at += 2;
      } else if (code >= 30 && code <= 37) foreground = palette(code - 30, theme);
      else if (code >= 40 && code <= 47) background = palette(code - 40, theme);
      else if (code >= 90 && code <= 97) foreground = palette(code - 82, theme);
      else if (code >= 100 && code <= 107) background = palette(code - 92, theme);
      else throw new Error(`the rasteriser does not know SGR ${code}`);
    }
  }
  return cells;
}

/** xterm's 256 colours: 16 that themes remap, a cube of 6 x 6 x 6, 24 grays. */
function palette(index: number, theme: Theme): Rgb {
  if (index < 16) return theme.named[index] ?? theme.foreground;
  if (index >= 232) return [8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10];
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}
