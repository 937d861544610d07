/** The sandbox's page as a program asks for it: with its cookie, and its forms with what they carry. */
import type { Served } from '../support/over-http.ts';

export interface Told {
  readonly status: number;
  readonly text: string;
  /** What the page says did not work. */
  readonly problem: string | undefined;
}

export async function visit({ uiUrl, url }: Served) {
  const base = `${url}/__sandbox/ui`;
  const { headers } = await fetch(uiUrl, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask = async (path: string, init: RequestInit = {}): Promise<Told> => {
    const reply = await fetch(`${base}/${path}`, {
      redirect: 'manual',
      ...init,
      headers: { cookie, origin: url },
    });
    const text = await reply.text();
    return { status: reply.status, text, problem: /data-testid="problem">([^<]*)/.exec(text)?.[1] };
  };
  const form = /name="_form" value="([^"]+)"/.exec((await ask('clock')).text)?.[1] ?? '';
  return {
    see: (path: string) => ask(path),
    submit: (path: string, fields: Record<string, string> = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams({ ...fields, _form: form }) }),
  };
}
