/** The grammar of the signature header: `t=<unix seconds>,v1=<64 hex>[,v1=...]`, bounded and strict. */

export type HeaderFault =
  | 'header-missing'
  | 'header-duplicated'
  | 'header-malformed'
  | 'timestamp-missing'
  | 'timestamp-duplicated'
  | 'timestamp-malformed'
  | 'signature-missing'
  | 'signature-malformed';

type ParsedHeader =
  /** `t` as written, because it is part of what was signed; signatures as hex. */
  | { ok: true; t: string; signatures: readonly string[] }
  | { ok: false; reason: HeaderFault; message: string };

/** More than a rotation of secrets ever needs. Limits the work that a stranger can cause. */
const maxLength = 2048;
const maxSignatures = 8;

/** Reads the header. Skips parts of unknown schemes (`v0=`, `v2=`); refuses anything else that is odd. */
export function parseSignatureHeader(header: string | readonly string[] | null | undefined): ParsedHeader {
  const values = typeof header === 'string' ? [header] : (header ?? []);
  const [value] = values;
  if (value === undefined || value.trim() === '')
    return fault('header-missing', 'there is no signature header');
  if (values.length > 1)
    return fault('header-duplicated', `the signature header came ${values.length} times`);
  if (value.length > maxLength)
    return fault('header-malformed', `the signature header is longer than ${maxLength} characters`);
  if (usual.test(value)) {
    const comma = value.indexOf(',');
    return { ok: true, t: value.slice('t='.length, comma), signatures: [value.slice(comma + ',v1='.length)] };
  }
  return readParts(value.split(',').map((part) => part.trim()));
}

/** The form of nearly all headers: one time, one signature, no space. */
const usual = /^t=(?:0|[1-9]\d{0,11}),v1=[0-9a-fA-F]{64}$/;

function readParts(parts: readonly string[]): ParsedHeader {
  const times: string[] = [];
  const signatures: string[] = [];
  for (const part of parts) {
    const match = /^([A-Za-z][A-Za-z0-9_]*)=(\S*)$/.exec(part);
    if (!match) return fault('header-malformed', `"${part.slice(0, 40)}" is not of the form name=value`);
    if (match[1] === 't') times.push(match[2] ?? '');
    if (match[1] === 'v1') signatures.push(match[2] ?? '');
  }
  const [t] = times;
  if (t === undefined) return fault('timestamp-missing', 'the signature header has no t');
  if (times.length > 1) return fault('timestamp-duplicated', `the signature header has ${times.length} t`);
  if (!/^(?:0|[1-9]\d{0,11})$/.test(t)) return fault('timestamp-malformed', wrongTime(t));
  if (signatures.length === 0) return fault('signature-missing', 'the signature header has no v1');
  if (signatures.length > maxSignatures)
    return fault('header-malformed', `the signature header has more than ${maxSignatures} v1`);
  const odd = signatures.find((signature) => !/^[0-9a-f]{64}$/i.test(signature));
  if (odd !== undefined) return fault('signature-malformed', wrongSignature(odd));
  return { ok: true, t, signatures };
}

const wrongTime = (t: string): string =>
  /^\d{13}$/.test(t)
    ? `t is "${t}", which looks like milliseconds; it is Unix time in seconds`
    : `t is "${t.slice(0, 40)}", not Unix time in seconds`;

function wrongSignature(signature: string): string {
  if (/^[A-Za-z0-9+/]{43}=$/.test(signature))
    return 'v1 looks like base64; it is written as 64 hexadecimal digits';
  return signature.length === 64
    ? 'v1 has 64 characters, of which not all are hexadecimal digits'
    : `v1 has ${signature.length} characters that should be 64 hexadecimal digits`;
}

const fault = (reason: HeaderFault, message: string): ParsedHeader => ({ ok: false, reason, message });
