/** Why Node did not accept the TLS certificate of another side: what it is, and whose matter that is. */

export interface Refused {
  readonly what: 'stranger' | 'other-name' | 'time';
  /** Continues "its TLS certificate" and "a TLS certificate that". */
  readonly is: string;
}

const stranger: Refused = { what: 'stranger', is: 'is from an authority unknown to this machine' };
const certificates: Readonly<Record<string, Refused>> = {
  CERT_HAS_EXPIRED: { what: 'time', is: 'has expired' },
  CERT_NOT_YET_VALID: { what: 'time', is: 'is not valid yet' },
  ERR_TLS_CERT_ALTNAME_INVALID: { what: 'other-name', is: 'is for another name' },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: stranger,
  UNABLE_TO_GET_ISSUER_CERT: stranger,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: stranger,
  SELF_SIGNED_CERT_IN_CHAIN: stranger,
  DEPTH_ZERO_SELF_SIGNED_CERT: stranger,
};

/** By the code of Node's error; null for one that is not about a certificate, or of another kind. */
export const refusedCertificate = (code: string): Refused | null => certificates[code] ?? null;

/** The variable of Node that names the file of one's own authority. */
export const ownAuthority = 'NODE_EXTRA_CA_CERTS=<file.pem>';
