/**
 * What cannot be a delivery, whatever its path and body. It is refused in the listener's own words, so that somebody
 * sees it.
 */
import type { IncomingMessage } from 'node:http';

export interface RequestProblem {
  readonly reason: 'not-http' | 'not-post';
  readonly message: string;
  /** The status of the answer. */
  readonly status: 400 | 405 | 417;
}

/** Says why a request is unfit. Null for a POST, and for a GET or HEAD without a signature. */
export function findRequestProblem(request: IncomingMessage, signatureHeader: string): RequestProblem | null {
  const { method = '', headers, httpVersion } = request;
  if (httpVersion === '1.1' && headers.host === undefined) return noHost;
  if (method === 'POST') return null;
  if (method !== 'GET' && method !== 'HEAD')
    return { reason: 'not-post', message: `a ${method} came; deliveries are POSTs`, status: 405 };
  return headers[signatureHeader.toLowerCase()] === undefined
    ? null
    : redirectedPost(method, signatureHeader);
}

/** Answering 200 would say that the delivery was received, although its body is gone. */
const redirectedPost = (method: string, signatureHeader: string): RequestProblem => ({
  reason: 'not-post',
  message: `a ${method} came with the header ${signatureHeader}: a redirect on the way turns a POST into that and drops its body; give the service the address that it leads to`,
  status: 405,
});

const noHost: RequestProblem = {
  reason: 'not-http',
  message: 'a request came without the header Host, which HTTP/1.1 requires',
  status: 400,
};

export const unmetExpectation: RequestProblem = {
  reason: 'not-http',
  message: 'a request came with a header Expect that is not 100-continue',
  status: 417,
};
