/** BR Codes: build, judge, explain. The text behind a PIX QR code and behind "copia e cola". */
export {
  brCodeLimits,
  buildDynamicCode,
  buildStaticCode,
  type DynamicCode,
  type Receiver,
  type StaticCode,
} from './brcode/build.ts';
export { crc16 } from './brcode/crc.ts';
export { type ExplainedField, explainBrCode } from './brcode/explain.ts';
export type { Finding } from './brcode/finding.ts';
export { type BrCode, type Judgement, judgeBrCode } from './brcode/judge.ts';
