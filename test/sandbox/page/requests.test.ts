/** "Copy as curl" on the page of a request. Anybody who reaches the port may have sent it. */
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { serve } from '../support/over-http.ts';
import { visit } from './visitor.ts';

it.each([
  ['CONNECT', '@evil.example:80'],
  ['OPTIONS', '*'],
])(
  '%s %s as its target leads nowhere but to the sandbox, and takes no key elsewhere',
  async (method, target) => {
    const sandbox = await serve();
    const { port } = new URL(sandbox.url);
    await new Promise<void>((resolve) => {
      const sent = request({ host: '127.0.0.1', port, method, path: target, agent: false });
      const ended = () => {
        sent.destroy();
        resolve();
      };
      sent.on('connect', ended).on('response', ended).end();
    });
    const [asked] = sandbox.requests();
    const { text } = await (await visit(sandbox)).see(`requests/${asked?.number}`);
    const [, copied] = /data-copy="(curl [^"]*)"/.exec(text) ?? [];
    expect(copied?.replaceAll('&quot;', '"').replaceAll('&#39;', "'")).toBe(
      `curl --request-target ${target === '*' ? "'*'" : target} -X ${method} ${sandbox.url}/ -H "Authorization: Bearer $PIXCTL_API_KEY"`,
    );
  },
);
