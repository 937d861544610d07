import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyHome, run } from '../../support/run.ts';

describe('config', () => {
  it('lets go of the pinned ledger only if told to: --yes, if nobody can be asked', async () => {
    const home = emptyHome();
    await run(['config', 'set', 'timeout', '10s'], { home });
    const file = join(home, '.config/pixctl/config.json');
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...stored, settings: { ledger: { id: 'one' } } }));
    const { code, stderr } = await run(['config', 'unset', 'ledger.id'], { home });
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining('a withdrawal that is run again could be paid twice'),
    ]);
    expect((await run(['config', 'get', 'ledger.id'], { home })).stdout).toBe('one\n');
    expect((await run(['config', 'unset', 'ledger.id', '--yes'], { home })).code).toBe(0);
    expect((await run(['config', 'get', 'ledger.id'], { home })).stdout.trim()).toBe('');
  });

  it('keeps what makes sense, and gives it back', async () => {
    const home = emptyHome();
    expect(await run(['config', 'set', 'timeout', '9s'], { home })).toMatchObject({
      ...{ code: 0, stdout: '', stderr: 'timeout is now 9s.\n' },
    });
    expect(await run(['config', 'set', 'timeout', '10s', '-o', 'json'], { home })).toMatchObject({
      ...{ code: 0, stdout: '{"name":"timeout","value":"10s"}\n', stderr: 'timeout is now 10s.\n' },
    });
    expect((await run(['config', 'get', 'timeout'], { home })).stdout).toBe('10s\n');
    expect((await run(['config', 'list', '-o', 'ndjson'], { home })).stdout).toBe(
      '{"name":"timeout","value":"10s"}\n',
    );
    expect((await run(['config', 'unset', 'timeout'], { home })).code).toBe(0);
    expect((await run(['config', 'get', 'timeout', '-o', 'json'], { home })).stdout).toBe(
      '{"name":"timeout","value":null}\n',
    );
    expect((await run(['config', 'path'], { home })).stdout).toContain(
      join(home, '.config/pixctl/config.json'),
    );
  });

  it.each([
    ['timeout', 'soon', '"soon" is not a duration. Nothing was changed.'],
    ['timeout', '0', 'The setting timeout takes a duration longer than 0, not "0". Nothing was changed.'],
    ['timeZone', 'Mars/Olympus', 'is not a time zone'],
    ['keychain', 'maybe', 'neither on nor off'],
    ['timout', '5s', 'did you mean "timeout"?'],
    ['__proto__', 'x', 'There is no setting "__proto__" that config changes. Nothing was changed.'],
    ['policy.maxAmount', '1', 'pixctl policy set'],
  ])('refuses %s = %s', async (name, value, says) => {
    const { code, stderr } = await run(['config', 'set', name, value]);
    expect(code).toBe(64);
    expect(stderr).toContain(says);
  });

  it.each([
    ['"0"', 'The setting timeout takes a duration longer than 0, not "0".'],
    ['"soon"', 'The setting timeout: "soon" is not a duration.'],
    ['[30]', 'The setting timeout: "[30]" is not a duration.'],
  ])('a kept timeout of %s is a fault of the settings: %s', async (kept, says) => {
    const home = emptyHome();
    await run(['config', 'set', 'timeout', '10s'], { home });
    const path = join(home, '.config/pixctl/config.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"10s"', kept));
    const env = { PIXCTL_API_KEY: 'svc_sandbox_x', PIXCTL_BASE_URL: 'http://127.0.0.1:9' };
    const { code, stderr } = await run(['charge', 'list'], { home, env });
    expect(code).toBe(78);
    expect(stderr).toContain(says);
    expect(stderr).toContain('pixctl config set timeout 30s');
    const doctor = await run(['doctor', '--offline', '-o', 'json'], { home, env });
    expect(JSON.parse(doctor.stdout)).toContainEqual({
      check: 'timeout',
      state: 'wrong',
      found: `${says} Every request ends with 78.`,
      remedy: expect.stringContaining('pixctl config set timeout 30s'),
    });
    expect(doctor.code).toBe(78);
    // A flag stands in for it.
    expect((await run(['charge', 'list', '--timeout', '2s'], { home, env })).code).toBe(75);
  });
});

describe('config get', () => {
  it('of a name that nothing has is a mistake, not an empty answer', async () => {
    const { code, stdout, stderr } = await run(['config', 'get', 'timout']);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('There is no setting "timout"; did you mean "timeout"?\n');
    expect(stderr).toContain('Settings: timeout, ');
  });

  it.each([
    ['policy.maxPerDya', '; did you mean "policy.maxPerDay"?'],
    ['ledger.idd', '; did you mean "ledger.id"?'],
    ['destinations.rent.pixKey', '.'],
  ])('of %s, which is no setting, is a mistake too: it would read as "no cap"', async (name, ending) => {
    const { code, stdout, stderr } = await run(['config', 'get', name]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(`There is no setting "${name}"${ending}\n`);
  });

  it.each(['policy.maxPerDay', 'ledger.id'])('of %s is empty if it is not set', async (name) => {
    expect(await run(['config', 'get', name])).toMatchObject({ code: 0, stdout: '\n' });
  });
});
