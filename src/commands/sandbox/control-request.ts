/** One request to the control plane. */
import { request } from 'node:http';
import { PixctlError } from '../../errors.ts';

export interface ControlRequest {
  readonly url: string;
  readonly token: string;
  readonly method: string;
  /** Below `/__sandbox`. */
  readonly path: string;
  readonly body: Uint8Array | null;
  readonly type: string;
  readonly signal: AbortSignal;
}
export interface ControlReply {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Rejects with `later` (75) when no sandbox answers. */
export function sendControl(it: ControlRequest): Promise<ControlReply> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) =>
      reject(
        new PixctlError(
          'later',
          'NOT_REACHED',
          `No sandbox answers at ${it.url} (${cause.code ?? cause.message}).`,
          {
            hint: 'pixctl sandbox start, in another terminal.',
            cause,
          },
        ),
      );
    const headers: Record<string, string | number> = { authorization: `Bearer ${it.token}` };
    if (it.body !== null) headers['content-type'] = it.type;
    headers['content-length'] = it.body?.length ?? 0;
    const { method, signal } = it;
    const sent = request(
      `${it.url}/__sandbox${it.path}`,
      { method, headers, signal, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
          .on('error', fail);
      },
    );
    sent.on('error', fail).end(it.body);
  });
}
