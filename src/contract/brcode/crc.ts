/** CRC-16/CCITT-FALSE of a BR Code: poly 0x1021, init 0xFFFF, over the UTF-8 bytes including `6304`. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) return written(encoder.encode(text).reduce(add, 0xffff));
    crc = add(crc, unit);
  }
  return written(crc);
}

const add = (crc: number, byte: number): number =>
  ((crc << 8) & 0xffff) ^ (table[(crc >> 8) ^ byte] as number);
const written = (crc: number): string => crc.toString(16).toUpperCase().padStart(4, '0');

const encoder = new TextEncoder();
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  return crc;
});
