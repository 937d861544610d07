/** Why Node did not accept the other side's TLS certificate: what is wrong with it, and for whom to mend. */

export interface CertificateFault {
  readonly what: 'stranger' | 'other-name' | 'time';
  /** Continues "its TLS certificate" and "a TLS certificate that". */
  readonly is: string;
}

const stranger: CertificateFault = { what: 'stranger', is: 'is from an authority unknown to this machine' };
const certificates: Readonly<Record<string, CertificateFault>> = {
  CERT_HAS_EXPIRED: { what: 'time', is: 'has expired' },
  CERT_NOT_YET_VALID: { what: 'time', is: 'is not valid yet' },
  ERR_TLS_CERT_ALTNAME_INVALID: { what: 'other-name', is: 'is for another name' },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: stranger,
  UNABLE_TO_GET_ISSUER_CERT: stranger,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: stranger,
  SELF_SIGNED_CERT_IN_CHAIN: stranger,
  DEPTH_ZERO_SELF_SIGNED_CERT: stranger,
};

/** Looks up the code of Node's error; null if it is not about a certificate, or not one of these. */
export const certificateFaultOf = (code: string): CertificateFault | null => certificates[code] ?? null;

/** Node's variable for the file of one's own certificate authority. */
export const ownAuthority = 'NODE_EXTRA_CA_CERTS=<file.pem>';
