/** Builds the request of one attempt: the documented body and signature header, or what a fault makes of them. Pure. */
import { sign } from '../../contract/signature.ts';
import type { AttemptPlan } from '../faults/delivery-plan.ts';

export interface Envelope {
  readonly id: string;
  readonly event: string;
  /** When the event occurred, as an ISO time. */
  readonly createdAt: string;
  /** The event's data, already as JSON, because every attempt must send the same bytes. */
  readonly data: string;
}

interface AttemptRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** What is sent. */
  readonly body: string;
  /** The `t` that was signed, in seconds; null for a replay that carries an earlier signature. */
  readonly timestamp: number | null;
}

export interface Signing {
  readonly header: string;
  readonly secret: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  /** An earlier signature to send unchanged. */
  readonly fixed: string | null;
}

export const bodyOf = ({ id, event, createdAt, data }: Envelope): string =>
  `{"id":${JSON.stringify(id)},"event":${JSON.stringify(event)},"createdAt":${JSON.stringify(createdAt)},"data":${data}}`;

export function buildAttemptRequest(envelope: Envelope, signing: Signing, plan: AttemptPlan): AttemptRequest {
  const body = bodyOf(envelope);
  const timestamp = signing.timestamp + plan.skewSeconds;
  const secret = plan.signature === 'wrong-secret' ? `${signing.secret}_other` : signing.secret;
  const signature = signing.fixed ?? sign({ secret, body, timestamp });
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'pixctl-sandbox',
      [signing.header]: plan.signature === 'bad' ? corruptSignature(signature) : signature,
    },
    body: plan.reserialise ? JSON.stringify(JSON.parse(body), null, 2) : body,
    timestamp: signing.fixed === null ? timestamp : null,
  };
}

/** Spoils a signature but keeps its form: each hexadecimal digit of v1 is inverted. */
const corruptSignature = (signature: string): string =>
  signature.replace(/(?<=v1=)[0-9a-f]+/, (hex) =>
    hex.replace(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16)),
  );
