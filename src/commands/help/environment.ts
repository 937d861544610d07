/** Every variable that is read. A flag goes before it, and it goes before the profile. */
export const environmentVariables: readonly { readonly name: string; readonly does: string }[] = [
  { name: 'PIXCTL_API_KEY', does: 'the API key' },
  { name: 'PIXCTL_API_KEY_FILE', does: 'a file of yours (mode 0600, no link) that holds the API key' },
  {
    name: 'PIXCTL_BASE_URL',
    does: 'the address of the service; a stored key goes there only if it is of the same origin',
  },
  { name: 'PIXCTL_PROFILE', does: 'the profile to use, where --profile is not given' },
  { name: 'PIXCTL_MERCHANT', does: "the merchant label, the ledger's scope; the profile's otherwise" },
  {
    name: 'PIXCTL_WEBHOOK_SECRET',
    does: 'the signing secret of the endpoint that webhook listen receives for',
  },
  { name: 'PIXCTL_CONFIG_DIR', does: 'where settings and secrets lie' },
  { name: 'PIXCTL_STATE_DIR', does: 'where the ledger and the inbox lie' },
  { name: 'PIXCTL_LEDGER_URL', does: 'postgres://… for a ledger that several hosts share' },
  {
    name: 'PIXCTL_LEDGER_ID',
    does: "the ledger's id, where no settings can hold it; another ledger is refused",
  },
  { name: 'PIXCTL_KEYCHAIN', does: 'off keeps secrets in a 0600 file instead of the OS keychain' },
  { name: 'NO_COLOR', does: 'no colour, when not empty; FORCE_COLOR=1 asks for it' },
  { name: 'HTTPS_PROXY', does: 'a proxy for https; NO_PROXY names hosts that go without' },
  { name: 'NODE_EXTRA_CA_CERTS', does: 'a file of further authorities that https may trust; Node reads it' },
  {
    name: 'XDG_CONFIG_HOME',
    does: 'settings and secrets lie in its folder pixctl, unless PIXCTL_CONFIG_DIR is set',
  },
  {
    name: 'XDG_STATE_HOME',
    does: 'the ledger and the inbox lie in its folder pixctl, unless PIXCTL_STATE_DIR is set',
  },
  { name: 'TZ', does: 'the time zone of tables, and of a day in --since and --until' },
];

export function environmentText(): string {
  const width = Math.max(...environmentVariables.map(({ name }) => name.length));
  return [
    'A flag goes before the environment, the environment before the profile. A profile named by --profile is',
    'taken whole: then PIXCTL_BASE_URL is not read, and PIXCTL_API_KEY only where the profile has no key.',
    'PIXCTL_BASE_URL and PIXCTL_API_KEY alone are enough to speak to the service; a ledger or an inbox needs a',
    'directory too, or PIXCTL_LEDGER_URL. Nothing is read from the working directory.',
    '',
    ...environmentVariables.map(({ name, does }) => `  ${name.padEnd(width)}  ${does}`),
  ].join('\n');
}
