/** BR Codes: build, judge, explain. The text behind a PIX QR code and behind "copia e cola". */
export { buildDynamicCode } from './brcode/build.ts';
export { crc16 } from './brcode/crc.ts';
export { type ExplainedField, explainBrCode } from './brcode/explain.ts';
export type { Finding } from './brcode/finding.ts';
export { type BrCode, judgeBrCode } from './brcode/judge.ts';
