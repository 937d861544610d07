/** The generator inside `qrcode-terminal`, which has types only for its printing function. */
declare module 'qrcode-terminal/vendor/QRCode/index.js' {
  export default class QRCode {
    constructor(version: number, errorCorrection: number);
    /** One character per byte. */
    addData(data: string): void;
    make(): void;
    getModuleCount(): number;
    isDark(row: number, column: number): boolean;
  }
}
