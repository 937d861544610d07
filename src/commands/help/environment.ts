/** Every variable meant to be set for this program. A flag takes precedence over it, and it over the profile. */
export const environmentVariables: readonly { readonly name: string; readonly does: string }[] = [
  { name: 'PIXCTL_API_KEY', does: 'the API key' },
  {
    name: 'PIXCTL_API_KEY_FILE',
    does: 'a file that holds the API key; yours, mode 0600, not a symbolic link',
  },
  {
    name: 'PIXCTL_BASE_URL',
    does: 'the address of the service; a stored key is sent there only if the origin is the same',
  },
  { name: 'PIXCTL_PROFILE', does: 'the profile to use, where --profile is not given' },
  {
    name: 'PIXCTL_MERCHANT',
    does: 'the merchant label, which is the scope of the ledger; default: that of the profile',
  },
  {
    name: 'PIXCTL_WEBHOOK_SECRET',
    does: 'the signing secret that the webhook commands verify and sign with, where no flag names one',
  },
  {
    name: 'PIXCTL_SANDBOX_API_KEY',
    does: 'the key that sandbox start gives its merchant, instead of a random one: svc_sandbox_ and 16 or more characters',
  },
  { name: 'PIXCTL_CONFIG_DIR', does: 'the directory of settings and secrets' },
  { name: 'PIXCTL_STATE_DIR', does: 'the directory of the ledger and the inbox' },
  { name: 'PIXCTL_LEDGER_URL', does: 'postgres://… for a ledger that several hosts share' },
  {
    name: 'PIXCTL_LEDGER_ID',
    does: 'the id of the expected ledger, where no settings can store it; another ledger is refused',
  },
  { name: 'PIXCTL_KEYCHAIN', does: 'off stores secrets in a file (mode 0600) instead of the OS keychain' },
  {
    name: 'NO_COLOR',
    does: 'no colour, if not empty; with FORCE_COLOR=1, stderr has colour even where it is no terminal',
  },
  {
    name: 'TERM',
    does: 'dumb: nothing is redrawn, tables are ASCII, choices are answered by number: for screen readers and logs',
  },
  {
    name: 'LANG',
    does: 'or LC_CTYPE, or LC_ALL: an encoding other than UTF-8 (in tmux and screen, none too) has tables and QR codes drawn in ASCII',
  },
  { name: 'CI', does: 'where it is set (not to false or 0), nothing is asked, even at a terminal' },
  { name: 'HTTPS_PROXY', does: 'a proxy for https; NO_PROXY names hosts that are reached without it' },
  {
    name: 'NODE_EXTRA_CA_CERTS',
    does: 'a file with further certificate authorities for https; read by Node',
  },
  {
    name: 'XDG_CONFIG_HOME',
    does: 'settings and secrets are in its folder pixctl, unless PIXCTL_CONFIG_DIR is set',
  },
  {
    name: 'XDG_STATE_HOME',
    does: 'the ledger and the inbox are in its folder pixctl, unless PIXCTL_STATE_DIR is set',
  },
  {
    name: 'XDG_CACHE_HOME',
    does: 'compiled code is kept in its folder pixctl (otherwise in ~/.cache/pixctl); may be deleted',
  },
  { name: 'TZ', does: 'the time zone of tables, and of a day in --since and --until' },
];

export function environmentText(): string {
  const width = Math.max(...environmentVariables.map(({ name }) => name.length));
  return [
    'A flag wins over the environment, and the environment over the profile. With --profile everything comes from that profile: PIXCTL_BASE_URL is ignored, and PIXCTL_API_KEY is read only if the profile has no key. PIXCTL_BASE_URL and PIXCTL_API_KEY alone are enough to call the service; a ledger or an inbox also needs a directory, or PIXCTL_LEDGER_URL. Nothing is read from the working directory.',
    '',
    ...environmentVariables.map(({ name, does }) => `  ${name.padEnd(width)}  ${does}`),
  ].join('\n');
}
