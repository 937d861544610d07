/** The script that a shell reads once. */
import { script } from '@bomb.sh/tab';
import { refuseFormatFlags } from '../../runtime/output-options.ts';
import type { Runtime } from '../../runtime.ts';
import type { Shell } from './shells.ts';

/**
 * Prints the script. fish and PowerShell get the library's, bash and zsh get ours: the library's for bash needs the
 * bash-completion package, and both evaluate words as typed, so that a Tab would run a `$(…)` in them.
 */
export async function printScript(runtime: Runtime, shell: Shell): Promise<void> {
  refuseFormatFlags(runtime.globals, 'pixctl completion prints a script');
  if (shell === 'bash') return runtime.io.write(bash);
  if (shell === 'zsh') return runtime.io.write(zsh);
  watchStdout(runtime);
  script(shell, 'pixctl', 'pixctl');
  if (shell === 'powershell') await runtime.io.write(powershellGuard);
}

/**
 * The library's script for PowerShell puts each word between straight quotes, into a line that it evaluates. PowerShell
 * takes curly quotes for the same (its documentation, "about_Quoting_Rules"), so what stands behind one would run. Of
 * two completers for one program, the later counts.
 */
const powershellGuard = String.raw`
Register-ArgumentCompleter -CommandName 'pixctl' -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)
    if ("$CommandAst" -match '[\u2018-\u201b]') { return }
    & $__pixctlCompleterBlock $WordToComplete $CommandAst $CursorPosition
}
`;

/** The stream to watch for errors: the library writes by `console`, which says nothing about a full disk. */
export const watchStdout = ({ io }: Runtime): unknown => io.stdout;

const bash = String.raw`# bash completion for pixctl
_pixctl() {
  # bash cuts words at = and :, so the line is read here: a quoted blank parts no words, and nothing is run.
  local line="${'$'}{COMP_LINE:0:COMP_POINT}" cur value about directive=0 at char quote="" word="" begun=""
  local -a words=() candidates=()
  for ((at = 0; at < ${'$'}{#line}; at++)); do
    char="${'$'}{line:at:1}"
    if [[ $char == "$quote" ]]; then quote=""
    elif [[ -n $quote && ($quote == "'" || $char != \\) ]]; then word+="$char"
    elif [[ $char == \\ ]]; then at=$((at + 1)); word+="${'$'}{line:at:1}" begun=1
    elif [[ $char == [\"\'] ]]; then quote="$char" begun=1
    elif [[ $char != [[:space:]] ]]; then word+="$char" begun=1
    elif [[ -n $begun ]]; then words+=("$word") word="" begun=""
    fi
  done
  words+=("$word")
  cur="${'$'}{words[${'$'}{#words[@]} - 1]}"
  while IFS=$'\t' read -r value about; do
    case $value in
      "") ;;
      :*) directive="${'$'}{value//[!0-9]/}" ;;
      *) candidates+=("$value") ;;
    esac
  done < <(pixctl complete -- "${'$'}{words[@]:1}" 2>/dev/null)
  local head=""
  [[ $cur == *[=:]* ]] && head="${'$'}{cur%"${'$'}{cur##*[=:]}"}"
  COMPREPLY=()
  for value in "${'$'}{candidates[@]}"; do
    [[ $cur == --*=* ]] && value="${'$'}{cur%%=*}=$value"
    [[ $value == "$cur"* ]] && COMPREPLY+=("${'$'}{value#"$head"}")
  done
  # bash would offer its files wherever there is no candidate: only where one is meant (no 4 in the directive).
  (((directive & 4) != 0)) && compopt +o default 2>/dev/null
  # Something follows behind the = of a route, and the : of ssh:.
  [[ ${'$'}{#COMPREPLY[@]} == 1 && ${'$'}{COMPREPLY[0]} == *[=:] ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _pixctl pixctl
`;

/**
 * The script for zsh. Ours, because the library's puts what is typed before a `=` into an `eval`: a Tab behind
 * `--description 'see -x;...;y=` would run what stands between the semicolons, although it is in quotes.
 */
const zsh = String.raw`#compdef pixctl
# zsh completion for pixctl
_pixctl() {
  # (Q) takes the quotes off, and runs nothing. The words are those before the cursor.
  local -a typed=("${'$'}{(@Q)words[2,CURRENT-1]}" "${'$'}{(Q)PREFIX}") candidates=() blank=()
  local value about directive=0
  while IFS=$'\t' read -r value about; do
    case $value in
      "") ;;
      :*) directive="${'$'}{value//[^0-9]/}" ;;
      *) candidates+=("${'$'}{value//:/\\:}:$about") ;;
    esac
  done < <(pixctl complete -- "${'$'}{typed[@]}" 2>/dev/null)
  # Candidates are values alone, without the flag that a = joins to them.
  if [[ $PREFIX == --*=* ]]; then
    IPREFIX+="${'$'}{PREFIX%%=*}=" PREFIX="${'$'}{PREFIX#*=}"
  fi
  # Something follows behind the = of a route, and the : of ssh: (a 2 in the directive).
  (((directive & 2) != 0)) && blank=(-S '')
  (($#candidates > 0)) && _describe 'pixctl' candidates "${'$'}{blank[@]}" && return
  # Files only where one is meant (no 4 in the directive).
  (((directive & 4) == 0)) && _files
}
compdef _pixctl pixctl
# Not while it is only being read.
[[ "${'$'}{funcstack[1]}" == _pixctl ]] && _pixctl "$@"
`;
