/** Plans a tunnel: which program makes it, how that is started, and how it shows its public address. Pure. */
import { parseObject } from '../../contract/json-object.ts';
import { usageError } from '../../errors.ts';

export interface TunnelPlan {
  /** Looked up on PATH. */
  readonly program: string;
  readonly args: readonly string[];
  /** For a person at a terminal, who can be asked. Absent if they are the same. */
  readonly interactiveArgs?: readonly string[];
  /** Variables that it may see besides the harmless ones: settings of its own, never ours. */
  readonly allowedVariables: RegExp;
  /** Returns the public address if a line of its output shows it. */
  readonly readAddress: (line: string) => string | null;
  /** The address if it is known before the program has printed anything (a fixed remote port). */
  readonly address: string | null;
  readonly install: string;
}

interface TunnelChoice {
  /** `cloudflared`, `ngrok` or `ssh:user@host[:port]`. */
  readonly tunnel: string;
  /** Where the listener is on this machine. */
  readonly port: number;
  /** Port that the SSH server opens; 0 lets it choose. */
  readonly remotePort: number;
  /** A configuration file for ssh, instead of the user's. */
  readonly sshConfig: string | undefined;
}

/** Plans the chosen tunnel. Throws `usageError` (64). */
export function planTunnel(choice: TunnelChoice): TunnelPlan {
  if (choice.tunnel === 'cloudflared') return planCloudflared(choice.port);
  if (choice.tunnel === 'ngrok') return planNgrok(choice.port);
  const ssh = /^ssh:((?:[^@\s:/-][^@\s:/]*@)?)([^@\s:/-][^@\s:/]*|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/i.exec(
    choice.tunnel,
  );
  if (ssh !== null)
    return planSsh(choice, `${ssh[1]}${ssh[2]?.replace(/^\[|\]$/g, '')}`, ssh[2] ?? '', ssh[3]);
  throw usageError(
    `"${choice.tunnel}" is not a tunnel that pixctl knows. Nothing was started.`,
    'Give cloudflared, ngrok, or ssh:user@host[:port]; or start your own and give its --public-url.',
  );
}

const planCloudflared = (port: number): TunnelPlan => ({
  program: 'cloudflared',
  args: ['tunnel', '--no-autoupdate', '--url', `http://127.0.0.1:${port}`],
  allowedVariables: /^(TUNNEL_|CLOUDFLARED_)/,
  readAddress: (line) =>
    /https:\/\/(?!api\.)[a-z0-9-]+\.trycloudflare\.com(?![\w./-])/.exec(line)?.[0] ?? null,
  address: null,
  install:
    'https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/downloads/',
});

const planNgrok = (port: number): TunnelPlan => ({
  program: 'ngrok',
  args: ['http', `http://127.0.0.1:${port}`, '--log', 'stdout', '--log-format', 'json'],
  allowedVariables: /^NGROK_/,
  readAddress(line) {
    const { msg, url } = parseObject(line) ?? {};
    return msg === 'started tunnel' && typeof url === 'string' ? url : null;
  },
  address: null,
  install: 'https://ngrok.com/download',
});

function planSsh(choice: TunnelChoice, destination: string, host: string, sshPort = '22'): TunnelPlan {
  const { port, remotePort, sshConfig } = choice;
  const settings = {
    ExitOnForwardFailure: 'yes',
    ServerAliveInterval: '15',
    ServerAliveCountMax: '3',
  };
  const argsByHand = [
    ...(sshConfig === undefined ? [] : ['-F', sshConfig]),
    ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...['-N', '-T', '-p', sshPort, '-R', `${remotePort}:127.0.0.1:${port}`],
    ...['--', destination],
  ];
  return {
    program: 'ssh',
    args: ['-o', 'BatchMode=yes', ...argsByHand],
    interactiveArgs: argsByHand,
    allowedVariables: /^SSH_(AUTH_SOCK|AGENT_PID)$/,
    readAddress(line) {
      const allocated = /^Allocated port (\d+) for remote forward/.exec(line)?.[1];
      return allocated === undefined ? null : `http://${host}:${allocated}`;
    },
    address: remotePort === 0 ? null : `http://${host}:${remotePort}`,
    install: 'Install an OpenSSH client.',
  };
}
