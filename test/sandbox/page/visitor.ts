/**
 * A page, the sandbox's or the listener's, as a program asks for it: with its cookie, its forms with what they carry.
 */

export interface Told {
  readonly status: number;
  readonly text: string;
  /** What the page says did not work. */
  readonly problem: string | undefined;
}

export async function visit({ uiUrl }: { readonly uiUrl: string }) {
  const { origin } = new URL(uiUrl);
  const { headers } = await fetch(uiUrl, { redirect: 'manual' });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask = async (path: string, init: RequestInit = {}): Promise<Told> => {
    const reply = await fetch(new URL(path, uiUrl), {
      redirect: 'manual',
      ...init,
      headers: { cookie, origin },
    });
    const text = await reply.text();
    return { status: reply.status, text, problem: /data-testid="problem">([^<]*)/.exec(text)?.[1] };
  };
  const form = /name="_form" value="([^"]+)"/.exec((await ask('lab')).text)?.[1] ?? '';
  return {
    see: (path: string) => ask(path),
    submit: (path: string, fields: Record<string, string> = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams({ ...fields, _form: form }) }),
  };
}
