/** The generator that `qrcode-terminal` carries; its own types cover only the printing function. */
declare module 'qrcode-terminal/vendor/QRCode/index.js' {
  export default class QRCode {
    constructor(version: number, errorCorrection: number);
    /** One character a byte. */
    addData(data: string): void;
    make(): void;
    getModuleCount(): number;
    isDark(row: number, column: number): boolean;
  }
}
