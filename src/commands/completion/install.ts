/** `completion install`: adds one line to the shell's start file, once. */
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, win32 } from 'node:path';
import { makeDirectory } from '../../database/make-directory.ts';
import { configError, PixctlError, usageError } from '../../errors.ts';
import type { Environment } from '../../flags/environment.ts';
import type { Runtime } from '../../runtime.ts';
import { type Shell, shells } from './shells.ts';

interface StartFile {
  readonly file: string;
  readonly line: string;
}

const mark = '# pixctl completion';

/** Installs a line that fetches the script in each new shell, so that the script is never older than the program. */
export async function install(runtime: Runtime, asked: Shell | undefined): Promise<void> {
  const output = await runtime.output();
  const shell = asked ?? shellOf(runtime.environment);
  const { file, line } = startFileOf(shell, runtime.environment);
  // No shell would read it there: `~` is what a unit file or a crontab leaves of a home directory.
  if (!isAbsolute(file))
    throw configError(
      'RELATIVE_HOME',
      `The start file of ${shell} would be ${file}, below the working directory: nothing was written.`,
      'Set HOME (and ZDOTDIR and XDG_CONFIG_HOME, if they are set) to absolute paths.',
    );
  const orByHand = <T>(what: string, work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw new PixctlError(
        'config',
        'UNWRITABLE',
        `${file} cannot be ${what}: ${(cause as Error).message}`,
        {
          hint: `Add this line to the start file of ${shell} yourself: ${line}`,
          cause,
        },
      );
    }
  };
  const before = orByHand('read', () => (existsSync(file) ? readStart(file) : Buffer.alloc(0)));
  const encoding = encodingOf(before);
  if (before.includes(mark, 0, encoding)) {
    return output.note(`Completion for ${shell} is installed already, in ${file}.`);
  }
  if (runtime.globals.dryRun === true)
    return output.note(`Dry run: this line would be added to ${file}: ${line}`);
  orByHand('written', () => append(file, before, `${line} ${mark}\n`, encoding));
  output.note(`Installed in ${file}. It works in the next shell; in this one: ${line}`);
}

/** Reads the start file. Refuses a device: what is written there is gone when the next shell reads it. */
function readStart(file: string): Buffer {
  const found = statSync(file);
  if (!found.isFile() && !found.isDirectory()) throw new Error('it is not a file');
  return readFileSync(file);
}

/** Returns the encoding. Windows PowerShell's `>` writes UTF-16, and it accepts such a file as its start file. */
const encodingOf = (text: Buffer): 'utf16le' | 'utf8' =>
  text[0] === 0xff && text[1] === 0xfe ? 'utf16le' : 'utf8';

function append(file: string, before: Buffer, line: string, encoding: 'utf16le' | 'utf8'): void {
  // An unfinished last line would merge with ours.
  const gap = before.length === 0 || before.toString(encoding).endsWith('\n') ? '' : '\n';
  try {
    makeDirectory(dirname(file));
    appendFileSync(file, `${gap}${line}`, encoding);
  } catch (cause) {
    undoAppend(file, before.length);
    throw cause;
  }
}

/** Removes half a line, as a full disk leaves it, which would greet every new shell with an error. */
function undoAppend(file: string, size: number): void {
  try {
    if (statSync(file).size > size) truncateSync(file, size);
  } catch {
    // If the file cannot be written, it was not begun either.
  }
}

function shellOf(environment: Environment): Shell {
  // Git Bash passes on `C:\Program Files\Git\usr\bin\bash.exe`.
  const name = win32.basename(environment.SHELL ?? '', '.exe');
  const shell = shells.find((each) => each === name);
  if (shell !== undefined) return shell;
  if (environment.PSModulePath) return 'powershell';
  throw usageError(
    'The shell in use is not known.',
    `Name it, as in pixctl completion install bash; the choices are ${shells.join(', ')}.`,
  );
}

/** Returns the shell's start file, and what it has to contain. */
export function startFileOf(shell: Shell, environment: Environment): StartFile {
  const home = environment.HOME || environment.USERPROFILE || homedir();
  const settings = environment.XDG_CONFIG_HOME || join(home, '.config');
  switch (shell) {
    case 'bash':
      return { file: join(home, '.bashrc'), line: 'eval "$(pixctl completion bash 2>/dev/null)"' };
    case 'zsh':
      return {
        file: join(environment.ZDOTDIR || home, '.zshrc'),
        line: '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }; source <(pixctl completion zsh 2>/dev/null)',
      };
    case 'fish':
      return {
        file: join(settings, 'fish/completions/pixctl.fish'),
        line: 'pixctl completion fish 2>/dev/null | source',
      };
    case 'powershell':
      return {
        file: profileOnWindows(environment, home) ?? join(settings, `powershell/${profileName}`),
        line: 'pixctl completion powershell | Out-String | Invoke-Expression',
      };
  }
}

const profileName = 'Microsoft.PowerShell_profile.ps1';

/**
 * Finds the profile next to the user's modules, which the running PowerShell lists before the machine's: Windows
 * PowerShell and its successor read different folders, and both follow documents that were moved. Undefined except on
 * Windows.
 */
function profileOnWindows({ PSModulePath = '' }: Environment, home: string): string | undefined {
  const folders = PSModulePath.split(';');
  if (folders.length < 2) return undefined;
  const own = folders.find(
    (folder) =>
      /[\\/](?:Windows)?PowerShell[\\/]Modules[\\/]?$/i.test(folder) && !/[\\/]Program Files/i.test(folder),
  );
  return win32.join(
    own === undefined ? win32.join(home, 'Documents', 'WindowsPowerShell') : win32.dirname(own),
    profileName,
  );
}
