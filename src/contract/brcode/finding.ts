/** What is wrong or odd in a BR Code, in words. */
export interface Finding {
  /** `error`: a payer's bank may refuse the code, or pay something else. `warning`: odd, but payable. */
  readonly severity: 'error' | 'warning';
  /** `54`, `26-01`; null where it concerns the whole. */
  readonly field: string | null;
  readonly text: string;
}

const finding =
  (severity: Finding['severity']) =>
  (field: string | null, text: string): Finding => ({ severity, field, text });
export const error = finding('error');
export const warning = finding('warning');
