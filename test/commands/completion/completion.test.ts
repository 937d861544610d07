/** Completion in the real shells, each at a real terminal with a real Tab. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { beforeAll, describe, expect, it } from 'vitest';
import { startFileOf } from '../../../src/commands/completion/install.ts';
import { listenOnLoopback } from '../../support/listen-on-loopback.ts';
import { noPty, skipped } from '../../support/platform.ts';
import { cleanEnvironment, emptyHome, placesIn, programPath, run } from '../../support/run.ts';

const home = emptyHome();
const charge = {
  ...{ id: '', amount: 1050, status: 'PENDING', txid: 't', brCode: 'b', imageBase64: 'i' },
  createdAt: '2026-01-02T03:04:05.000Z',
};
const bin = join(home, 'bin');
const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

beforeAll(async () => {
  mkdirSync(bin);
  writeFileSync(join(bin, 'pixctl'), `#!/bin/sh\nexec "${process.execPath}" "${programPath()}" "$@"\n`, {
    mode: 0o755,
  });
  const args = [
    'login',
    '--profile',
    'acme-bakery',
    '--base-url',
    'http://127.0.0.1:9',
    '--key-stdin',
    '--no-check',
  ];
  expect((await run(args, { home, input: 'svc_canary' })).code).toBe(0);
});

const environment = (): Record<string, string> => ({
  ...cleanEnvironment(home),
  PATH: `${bin}:${process.env.PATH}`,
  TERM: 'xterm',
  PS1: 'READY> ',
  LC_ALL: 'C.UTF-8',
});

/** Types into a shell at a terminal, a step whenever the text before it has appeared. */
function session(
  shell: string,
  args: string[],
  steps: { after: RegExp; type: string }[],
  until: RegExp,
): Promise<string> {
  const terminal = spawn(shell, args, { name: 'xterm', cols: 120, rows: 30, cwd: home, env: environment() });
  return new Promise((resolve, reject) => {
    let all = '';
    let since = '';
    const waiting = [...steps];
    const timer = setTimeout(
      () => finish(new Error(`${shell} never showed ${until}: ${JSON.stringify(all)}`)),
      60_000,
    );
    const finish = (error?: Error) => {
      clearTimeout(timer);
      terminal.kill('SIGKILL');
      if (error === undefined) resolve(all);
      else reject(error);
    };
    terminal.onData((text) => {
      all += text;
      since += text;
      // Taken together: one piece may end in the middle of a control sequence.
      const screen = stripVTControlCharacters(since);
      const [next] = waiting;
      if (next === undefined) {
        if (until.test(screen)) finish();
      } else if (next.after.test(screen)) {
        waiting.shift();
        since = '';
        terminal.write(next.type);
      }
    });
  });
}

describe('what the shells are told', () => {
  it.each([
    ['a command', ['conf'], ['config']],
    ['a verb', ['profile', 'us'], ['use']],
    ['a profile, as an argument', ['profile', 'use', ''], ['acme-bakery']],
    ['a profile, as a flag', ['whoami', '--profile', 'ac'], ['acme-bakery']],
    ['a format', ['whoami', '-o', ''], ['table', 'json', 'ndjson', 'csv']],
    ['a format after =', ['whoami', '--output=nd'], ['ndjson']],
    ['a flag of the command', ['login', '--key-'], ['--key-stdin', '--key-file']],
    ['a global flag', ['profile', 'list', '--csv'], ['--csv-locale']],
    ['a setting', ['config', 'set', 'ti'], ['timeout', 'timeZone']],
    ['what a setting takes', ['config', 'set', 'keychain', ''], ['on', 'off']],
    ['nothing for a setting that takes anything', ['config', 'set', 'timeout', ''], []],
    ['what a rule takes', ['policy', 'set', '--saved-only', ''], ['true', 'false']],
    ['a flag of the verb that a noun alone stands for', ['webhook', 'inbox', '--since'], ['--since']],
    ['a value of such a flag', ['webhook', 'inbox', '--status', 'gi'], ['given-up']],
    ['a status', ['charge', 'list', '--status', 'P'], ['PENDING', 'PAID']],
    ['a further status', ['charge', 'list', '--status', 'PAID,P'], ['PAID,PENDING']],
    ['a state of a key', ['withdrawal', 'ledger', '--state', 'REF'], ['REFUSED']],
    [
      'a state of the key of a charge',
      ['charge', 'ledger', '--state', ''],
      ['PLANNED', 'SENDING', 'ACCEPTED', 'REFUSED', 'NOT_SENT', 'UNKNOWN'],
    ],
    ['a further state', ['withdrawal', 'ledger', '--state=REFUSED,N'], ['REFUSED,NOT_SENT']],
    ['a kind of PIX key', ['withdraw', '--type', 'C'], ['CPF', 'CNPJ', 'CHAVE_ALEATORIA']],
    ['an event', ['webhook', 'trigger', 'REF'], ['REFUND_COMPLETED']],
    ['a method', ['api', 'P'], ['POST', 'PUT', 'PATCH']],
    ['a path of the service', ['api', 'GET', '/w'], ['/withdrawals', '/withdrawals/', '/webhooks/']],
    ['a path, of the method that is typed', ['api', 'post', '/w'], ['/withdrawals', '/webhooks']],
    ['a help topic', ['help', 'ex'], ['exit-codes']],
    ['a command to be helped with', ['help', 'ch'], ['charge']],
    ['a verb to be helped with', ['help', 'sandbox', 'fault', ''], ['add', 'list', 'clear']],
    ['a preset', ['sandbox', 'fault', 'add', '--preset', 'lost'], ['lost-response', 'lost-request']],
    [
      'an effect',
      ['sandbox', 'fault', 'add', '--effect', 're'],
      ['reset', 'repeat-item', 'reorder', 'reserialise'],
    ],
    [
      'an open point',
      ['sandbox', 'start', '--assume', 'list-o'],
      ['list-order=newest-first', 'list-order=oldest-first'],
    ],
    [
      'what is chosen for an open point',
      ['sandbox', 'start', '--assume', 'list-order='],
      ['list-order=newest-first', 'list-order=oldest-first'],
    ],
    ['a field', ['charge', 'list', '--fields', 'am'], ['amount']],
    ['a further field', ['charge', 'list', '--fields', 'id,am'], ['id,amount']],
    [
      'a further event',
      ['webhook', 'listen', '--events', 'CHARGE_PAID,CHECKOUT'],
      ['CHARGE_PAID,CHECKOUT_PAID', 'CHARGE_PAID,CHECKOUT_REFUNDED'],
    ],
    [
      'a further event behind =',
      ['webhook', 'add', '--events=CHARGE_PAID,RE'],
      ['CHARGE_PAID,REFUND_COMPLETED'],
    ],
    [
      'a call or an event to fail',
      ['sandbox', 'fault', 'add', '--on', 'create'],
      ['createCharge', 'createWithdrawal', 'createWebhook'],
    ],
    ['an event of a route', ['webhook', 'listen', '--route', 'REF'], ['REFUND_COMPLETED=']],
    ['a tunnel', ['webhook', 'listen', '--tunnel', ''], ['cloudflared', 'ngrok', 'ssh:']],
    ['nothing for an unknown command', ['nonsense', 'x', ''], []],
  ])('%s', async (_title, words, expected) => {
    const { stdout, code } = await run(['complete', '--', ...words], { home });
    expect(code).toBe(0);
    const candidates = stdout.split('\n').filter((line) => line !== '' && !line.startsWith(':'));
    expect(candidates.map((line) => line.split('\t')[0])).toEqual(expected);
  });

  it.each([
    ['an argument', ['withdrawal', 'batch', ''], ':0'],
    ['one begun', ['sandbox', 'restore', 'be'], ':0'],
    ['a flag', ['charge', 'qr', 'chg_1', '--png', ''], ':0'],
    ['a code, or its picture', ['brcode', 'decode', ''], ':0'],
    ['no value', ['charge', 'get', ''], ':4'],
    ['no flag', ['charge', 'qr', 'chg_1', '--p'], ':4'],
  ])('leave files to the shell where one is meant: %s', async (_title, words, directive) => {
    const { stdout } = await run(['complete', '--', ...words], { home });
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(directive);
  });

  it.each([
    ['an event of a route', ['--route', 'CHARGE_P'], ':6'],
    ['an event of a route behind =', ['--route=CHARGE_P'], ':6'],
    ['a tunnel by ssh', ['--tunnel', 's'], ':6'],
    ['a tunnel that is whole', ['--tunnel', 'n'], ':4'],
  ])('add no blank to what wants something behind it: %s', async (_title, words, directive) => {
    const { stdout } = await run(['complete', '--', 'webhook', 'listen', ...words], { home });
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(directive);
  });

  it('the newest intents of the local ledger, by id and by key', async () => {
    const service = createServer((request, response) => {
      const made = { ...charge, id: 'chg_completed_1' };
      const list = { data: [], pagination: { hasMore: false, next: null, before: null } };
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          ...(request.method === 'POST' ? { data: made } : list),
          error: null,
          success: true,
        }),
      );
    });
    const port = await listenOnLoopback(service);
    const own = emptyHome();
    const env = {
      PIXCTL_BASE_URL: `http://127.0.0.1:${port}`,
      PIXCTL_API_KEY: 'svc_x',
    };
    const args = ['charge', 'create', '--amount', '1050', '--idempotency-key', 'order-1', '--no-qr', '--yes'];
    expect(await run(args, { home: own, env })).toMatchObject({ code: 0 });
    service.close();
    const { stdout } = await run(['complete', '--', 'charge', 'get', ''], { home: own, env });
    expect(stdout.split('\n')[0]).toMatch(/^chg_completed_1\t[A-Z]+ R\$ 10,50$/);
    const keys = await run(['complete', '--', 'charge', 'resolve', ''], { home: own, env });
    expect(keys.stdout.split('\n')[0]).toMatch(/^order-1\t[A-Z]+ R\$ 10,50$/);
  });

  it('the hidden command is in no help', async () => {
    expect((await run(['--help'], { home })).stdout).not.toMatch(/^ {2}complete /m);
  });
});

describe.skipIf(!has('bash') || noPty !== null)(skipped('bash', noPty), () => {
  const shell = (line: string, until: RegExp) =>
    session(
      'bash',
      ['--norc', '--noprofile', '-i'],
      [
        { after: /READY> $/, type: 'source <(pixctl completion bash); PS1=SET"> "\n' },
        { after: /SET> $/, type: line },
      ],
      until,
    );

  it('completes a command, a profile and a value behind =', async () => {
    await shell('pixctl prof\t', /pixctl profile /);
    await shell('pixctl profile use ac\t', /use acme-bakery /);
    await shell('pixctl whoami --output=nd\t', /--output=ndjson/);
    await shell('pixctl webhook listen --route REF\t3000', /--route REFUND_COMPLETED=3000/);
    await shell('pixctl webhook listen --tunnel ss\tme@host', /--tunnel ssh:me@host/);
  });

  it('offers files only where one is meant', async () => {
    writeFileSync(join(home, 'invoices.csv'), '');
    await shell('pixctl withdrawal batch ~/inv\t', /~\/invoices\.csv /);
    // Between the two the terminal is told to ring.
    await shell('pixctl charge get ~/inv\t"END"', /~\/inv.?"END"/);
    await shell('pixctl charge qr chg_1 --png ~/inv\t', /~\/invoices\.csv /);
  });

  it('reads the words before as the shell does, with blanks in quotes and behind backslashes', async () => {
    writeFileSync(join(home, 'pay day.csv'), '');
    await shell('pixctl withdrawal batch pay\\ d\t', /batch pay\\ day\.csv /);
    await shell('pixctl charge qr chg_1 --png "pay d\t', /--png "pay day\.csv" /);
    await shell('pixctl withdrawal batch --result "a b" \'c d\' --cont\t', /--continue-on-failed /);
    await shell('pixctl charge create -d "status --amount" --exp\t', /--expires-in /);
  });

  it('runs nothing that is typed but not sent', async () => {
    // ^U clears the line; the echo answers only once the Tab has been dealt with.
    await shell('pixctl profile use $(touch "$HOME/ran") acm\t\u0015echo FIN"ISHED"\n', /FINISHED/);
    expect(existsSync(join(home, 'ran'))).toBe(false);
  });
});

describe.skipIf(!has('zsh') || noPty !== null)(skipped('zsh', noPty), () => {
  const shell = (line: string, until: RegExp) =>
    session(
      'zsh',
      ['-f', '-i'],
      [
        {
          after: /[%#$>] ?$/,
          type: 'autoload -Uz compinit; compinit -u; source <(pixctl completion zsh); PS1=SET"> "\n',
        },
        { after: /SET> $/, type: line },
      ],
      until,
    );

  it.each([
    ['in quotes', "'see -x;>ran;y="],
    ['in double quotes', '"see -x;>ran;y='],
    ['behind = in quotes', "'see --x;>ran;=$(>ran)"],
  ])('runs nothing that is typed but not sent: %s', async (_title, word) => {
    // ^U clears the line; the echo answers only once the Tab has been dealt with.
    await shell(`pixctl charge create --description ${word}\t\u0015echo FIN"ISHED"\n`, /FINISHED/);
    expect(existsSync(join(home, 'ran'))).toBe(false);
  });

  it('completes what is joined by = or :, and what is in quotes', async () => {
    writeFileSync(join(home, 'rent day.csv'), '');
    await shell('pixctl whoami --output=nd\t', /--output=ndjson /);
    await shell('pixctl sandbox start --assume=list-order=n\t', /--assume=list-order=newest-first /);
    await shell('pixctl webhook listen --route REF\t3000', /--route REFUND_COMPLETED=3000/);
    await shell('pixctl webhook listen --tunnel ss\tme@host', /--tunnel ssh:me@host/);
    await shell('pixctl charge qr chg_1 --png "rent d\t', /--png "rent day\.csv" /);
    await shell("pixctl charge create -d 'status --amount' --exp\t", /--expires-in /);
  });

  it('offers no file where none is meant', async () => {
    writeFileSync(join(home, 'wages.csv'), '');
    await shell('pixctl withdrawal batch ~/wag\t', /~\/wages\.csv /);
    await shell('pixctl charge get ~/wag\t"END"', /~\/wag.?"END"/);
  });

  it('completes a profile after the installed line has been read', async () => {
    expect((await run(['completion', 'install', 'zsh'], { home })).code).toBe(0);
    await session(
      'zsh',
      ['-i'],
      [
        { after: /[%#$>] ?$/, type: 'PS1="SET> "\n' },
        { after: /SET> $/, type: 'pixctl profile use ac\t' },
      ],
      /acme-bakery/,
    );
  });

  it('has words behind the dash of values that explain themselves', async () => {
    await session(
      'zsh',
      ['-i'],
      [
        { after: /[%#$>] ?$/, type: 'PS1="SET> "\n' },
        { after: /SET> $/, type: 'pixctl charge list --status \t\t' },
      ],
      /PENDING.*-- status/s,
    );
  });

  it('completes a file where one is meant', async () => {
    writeFileSync(join(home, 'payroll.csv'), '');
    await session(
      'zsh',
      ['-i'],
      [
        { after: /[%#$>] ?$/, type: 'PS1="SET> "\n' },
        { after: /SET> $/, type: 'pixctl withdrawal batch ~/payr\t' },
      ],
      /payroll\.csv/,
    );
  });
});

describe.skipIf(!has('fish') || noPty !== null)(skipped('fish', noPty), () => {
  beforeAll(async () => {
    expect((await run(['completion', 'install', 'fish'], { home })).code).toBe(0);
  });
  const ask = (line: string) =>
    execFileSync('fish', ['-c', `complete -C '${line.replaceAll(/['\\]/g, '\\$&')}'`], {
      env: environment(),
      encoding: 'utf8',
    });

  it('completes a command and a profile', () => {
    expect(ask('pixctl prof')).toMatch(/^profile\t/m);
    expect(ask('pixctl profile use ')).toMatch(/^acme-bakery\t/m);
    writeFileSync(join(home, 'salaries.csv'), '');
    expect(ask(`pixctl withdrawal batch ${home}/sal`)).toMatch(/salaries\.csv$/m);
  });

  it('completes what is joined by = or a comma, and adds nothing to what it does not know', () => {
    expect(ask('pixctl whoami --output=nd')).toMatch(/^--output=ndjson\t/m);
    expect(ask('pixctl charge list --status PAID,P')).toMatch(/^PAID,PENDING\t/m);
    expect(ask('pixctl webhook listen --tunnel s')).toMatch(/^ssh:\t/m);
    expect(ask('pixctl nonsense x ')).toBe('');
  });

  it.each([
    ['in brackets', '(touch CANARY)'],
    ['in double quotes', '"$(touch CANARY)"'],
    ['in quotes', `'; touch CANARY;'`],
    ['behind = in quotes', `'x;touch CANARY;y='`],
  ])('runs nothing that is typed but not sent: %s', (_, text) => {
    const canary = join(home, 'fish-canary');
    const line = `pixctl charge create --description ${text.replace('CANARY', canary)} --exp`;
    expect(ask(line)).toMatch(/^--expires-in\t/m);
    expect(existsSync(canary)).toBe(false);
  });
});

describe('install', () => {
  it('adds its line once, and says which', async () => {
    const first = await run(['completion', 'install', 'bash'], { home });
    const second = await run(['completion', 'install', 'bash'], { home });
    expect(first.stderr).toMatch(/^Installed in .*\.bashrc/);
    expect(second.stderr).toMatch(/installed already/);
    expect(readFileSync(join(home, '.bashrc'), 'utf8').match(/pixctl completion bash/g)).toHaveLength(1);
  });

  const documents = 'C:\\Users\\ana\\OneDrive\\Documentos';
  const ofMachine =
    'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\WINDOWS\\system32\\WindowsPowerShell\\v1.0\\Modules';
  it.each([
    [
      'that of Windows',
      `${documents}\\WindowsPowerShell\\Modules;${ofMachine}`,
      `${documents}\\WindowsPowerShell`,
    ],
    [
      'the later one',
      `${documents}\\PowerShell\\Modules;C:\\Program Files\\PowerShell\\Modules;c:\\program files\\powershell\\7\\Modules;${ofMachine}`,
      `${documents}\\PowerShell`,
    ],
    ['none, but cmd', ofMachine, 'C:\\Users\\ana\\Documents\\WindowsPowerShell'],
  ])('goes on Windows where the PowerShell that runs looks: %s', (_, PSModulePath, folder) => {
    expect(startFileOf('powershell', { PSModulePath, USERPROFILE: 'C:\\Users\\ana' }).file).toBe(
      `${folder}\\Microsoft.PowerShell_profile.ps1`,
    );
  });

  it('goes elsewhere where PowerShell has its settings there', () => {
    const environment = { HOME: '/home/ana', PSModulePath: '/home/ana/.local/share/powershell/Modules' };
    expect(startFileOf('powershell', environment).file).toBe(
      join('/home/ana', '.config/powershell/Microsoft.PowerShell_profile.ps1'),
    );
  });

  it('leaves a last line without its line break as it is', async () => {
    const home = emptyHome();
    writeFileSync(join(home, '.bashrc'), 'alias mine=ls');
    expect((await run(['completion', 'install', 'bash'], { home })).code).toBe(0);
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toMatch(/^alias mine=ls\neval .*\n$/);
  });

  it.each(['', '\nSet-Alias mine ls', '\r\nSet-Alias mine ls\r\n'])(
    'goes on in UTF-16 where Windows PowerShell wrote the start file with its > (%j)',
    async (rest) => {
      const home = emptyHome();
      const { file, line } = startFileOf('powershell', { HOME: home });
      mkdirSync(dirname(file), { recursive: true });
      const before = `\ufeffSet-Alias ll ls${rest}`;
      writeFileSync(file, before, 'utf16le');
      const args = ['completion', 'install', 'powershell'];
      expect((await run(args, { home })).code).toBe(0);
      const gap = rest.endsWith('\n') ? '' : '\n';
      const after = `${before}${gap}${line} # pixctl completion\n`;
      expect(readFileSync(file, 'utf16le')).toBe(after);
      expect((await run(args, { home })).stderr).toMatch(/installed already/);
      expect(readFileSync(file, 'utf16le')).toBe(after);
    },
  );

  it.each(['/bin/bash', '/usr/bin/bash', 'C:\\Program Files\\Git\\usr\\bin\\bash.exe'])(
    'knows the shell of SHELL=%s, also where it is Git Bash, beside a PowerShell',
    async (SHELL) => {
      const env = { SHELL, PSModulePath: 'C:\\Program Files\\WindowsPowerShell\\Modules' };
      const { stderr } = await run(['completion', 'install', '--dry-run'], { home: emptyHome(), env });
      expect(stderr).toMatch(/^Dry run: this line would be added to .*\.bashrc: eval /);
    },
  );

  it('of a start file that cannot be read says what to add by hand', async () => {
    const home = emptyHome();
    mkdirSync(join(home, '.bashrc'));
    const { code, stderr } = await run(['completion', 'install', 'bash'], { home });
    expect(code).toBe(78);
    expect(stderr).toContain('.bashrc cannot be read: EISDIR');
    expect(stderr).toMatch(/Add this line to the start file of bash yourself: eval /);
  });

  it.skipIf(process.platform === 'win32')('of a start file that keeps nothing says so', async () => {
    const home = emptyHome();
    execFileSync('mkfifo', [join(home, '.bashrc')]);
    const { code, stderr } = await run(['completion', 'install', 'bash'], { home });
    expect(code).toBe(78);
    expect(stderr).toContain('.bashrc cannot be read: it is not a file');
  });

  it('writes nothing below the working directory', async () => {
    const { code, stderr } = await run(['completion', 'install', 'bash'], { env: { HOME: '~' } });
    expect(code).toBe(78);
    expect(stderr).toContain(
      `The start file of bash would be ${join('~', '.bashrc')}, below the working directory`,
    );
    expect(existsSync('~')).toBe(false);
  });

  it('without a known shell asks for its name, with a line that can be pasted', async () => {
    const { code, stderr } = await run(['completion', 'install'], {
      home: emptyHome(),
      env: { SHELL: '/bin/tcsh' },
    });
    expect(code).toBe(64);
    expect(stderr).toContain(
      'Name it, as in pixctl completion install bash; the choices are bash, zsh, fish, powershell.',
    );
  });

  it('prints the PowerShell script', async () => {
    const { stdout } = await run(['completion', 'powershell'], { home });
    const completers = stdout.split("Register-ArgumentCompleter -CommandName 'pixctl'");
    // The last one counts. It leaves alone what PowerShell would take out of its quotes.
    expect(completers).toHaveLength(3);
    expect(completers[2]).toContain(String.raw`if ("$CommandAst" -match '[\u2018-\u201b]') { return }`);
  });
});

it('offers no name from a settings file that a shell would obey: bash puts it on the line as it is', async () => {
  const own = emptyHome();
  const places = placesIn(own);
  const folder = places.PIXCTL_CONFIG_DIR ?? join(own, '.config/pixctl');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const shop = { baseUrl: 'https://pay.example/\u001b[31m', merchant: 'shop' };
  const destination = { key: 'a@example.com', type: 'EMAIL' };
  const names = ['$(touch ran)', '--yes', 'a b', '`id`', 'a\tb', 'a\n:4'];
  const file = {
    profiles: Object.fromEntries([...names, 'shop'].map((name) => [name, shop])),
    settings: { destinations: Object.fromEntries([...names, 'rent'].map((name) => [name, destination])) },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(file), { mode: 0o600 });
  const offered = async (...words: string[]) =>
    (await run(['complete', '--', ...words, ''], { home: own })).stdout.split('\n').slice(0, -1);
  expect(await offered('profile', 'use')).toEqual(['shop\thttps://pay.example/\\x1b[31m', ':4']);
  expect(await offered('destination', 'remove')).toEqual(['rent\tname', ':4']);
});

it.skipIf(process.platform === 'win32')('install leaves no half line where the disk is full', () => {
  const full = emptyHome();
  const file = join(full, '.bashrc');
  const before = `# ${'x'.repeat(1011)}\n`;
  writeFileSync(file, before);
  const command = [process.execPath, programPath(), 'completion', 'install', 'bash'];
  const { status } = spawnSync('sh', ['-c', 'ulimit -f 2; exec "$@"', 'sh', ...command], {
    env: cleanEnvironment(full),
  });
  expect([status, readFileSync(file, 'utf8')]).toEqual([78, before]);
});
