/** An API key as somebody pasted, piped or saved it: what is taken, and what a refusal says to do. */
import { expect, it } from 'vitest';
import { parseApiKey } from '../../src/config/api-key.ts';

it('takes a key without the white space around it', () => {
  expect(parseApiKey(' svc_live_1\r\n')).toBe('svc_live_1');
});

it.each(['', ' \n', 'svc_live 1', 'svc_líve_1', 'svc_live_1\nsvc_live_2', `svc_${'1'.repeat(4_093)}`])(
  'says of %j where a key is copied from',
  (text) => {
    expect(() => parseApiKey(text)).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: expect.stringMatching(/^The API key (?:is empty|has characters .*)\. Nothing was sent\.$/),
        hint: 'Copy it again from the dashboard: settings, API keys. It starts with svc_.',
      }),
    );
  },
);
