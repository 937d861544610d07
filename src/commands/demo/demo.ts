/** `pixctl demo`: the whole life of a charge in a few seconds, against a sandbox that ends with it. */
import type { CreatedCharge } from '../../contract/charge.ts';
import { formatCents } from '../../contract/money.ts';
import { PixctlError } from '../../errors.ts';
import { findForeignLocale } from '../../flags/environment.ts';
import { qrMatrix } from '../../qr/matrix.ts';
import { refuseFormatFlags } from '../../runtime/output-options.ts';
import type { Runtime } from '../../runtime.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { renderQr } from '../../terminal/qr.ts';

const amount = 1050;

const nextSteps = `Try next:
  pixctl sandbox start                     a sandbox that stays
  pixctl charge create --amount 10,50      your own charge (other terminal)
  pixctl webhook listen --forward-to 3000  its events, at your application`;

export async function demo(runtime: Runtime): Promise<void> {
  refuseFormatFlags(runtime.globals, 'pixctl demo prints text');
  const { startSandbox } = await import('../../sandbox/start-sandbox.ts');
  const sandbox = await startSandbox();
  try {
    await tell(runtime, sandbox);
  } finally {
    await sandbox.close();
  }
}

async function tell(runtime: Runtime, sandbox: Sandbox): Promise<void> {
  const say = (text: string) => runtime.io.write(`${text}\n`);
  const api = await runtime.apiFor({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  try {
    await say(`A sandbox of the whole service runs inside this process, at ${sandbox.url}.\n`);
    const body = { method: 'PIX', amount, description: 'pixctl demo' } as const;
    const charge = await api.call('createCharge', { body });
    await say(`Created ${charge.id}: ${formatCents(charge.amount)}, ${charge.status}.\n`);
    await drawCode(runtime, charge);
    await say(`\nPIX copy and paste:\n${charge.brCode}\n`);

    await say('A customer pays ...');
    sandbox.pay(charge.id);
    const paid = await api.call('getCharge', { query: { id: charge.id } });
    if (paid.status !== 'PAID') {
      throw new PixctlError('unexpected', 'DEMO', `The charge should be PAID, and is ${paid.status}.`);
    }
    await say(`${charge.id}: ${charge.status} -> ${paid.status}.\n`);
    (await runtime.output()).note(nextSteps);
  } finally {
    await api.close();
  }
}

/** Draws the code in colour, whatever NO_COLOR says: the colours are what is scanned. */
async function drawCode({ io, environment }: Runtime, { brCode }: CreatedCharge): Promise<void> {
  if (io.stdoutIsTerminal && environment.TERM === 'dumb')
    return io.write('(A terminal without colours shows no QR code.)\n');
  const columns = io.stdoutIsTerminal ? io.size().columns : Number.POSITIVE_INFINITY;
  // A pipe leads to another program, which knows nothing of this terminal.
  const ascii = io.stdoutIsTerminal && findForeignLocale(environment) !== null;
  const drawn = renderQr(qrMatrix(brCode), { columns, ascii });
  await io.write(drawn.fits ? drawn.text : `(The QR code needs ${drawn.columns} columns.)\n`);
}
