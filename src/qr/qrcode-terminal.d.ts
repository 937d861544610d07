/** The generator that `qrcode-terminal` carries; types exist only for its printing function. */
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
