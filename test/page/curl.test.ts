/** A request as a line for a shell. */
import { expect, it } from 'vitest';
import { formatCurl } from '../../src/page/curl.ts';

const get = (url: string) => formatCurl({ method: 'GET', url, headers: [], body: null, keyed: false });

it.each(['http://127.0.0.1:1/?after=[1-3]', 'http://127.0.0.1:1/{a,b}'])(
  'asks once for %s, which curl by itself takes for several addresses',
  (url) => expect(get(url)).toBe(`curl -g '${url}'`),
);

it('is as short as it can be for another address', () =>
  expect(get('http://127.0.0.1:1/a')).toBe('curl http://127.0.0.1:1/a'));
