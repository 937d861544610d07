/**
 * The script for zsh. Ours, because the library's puts what is typed before a `=` into an `eval`: a Tab behind
 * `--description 'see -x;...;y=` would run what stands between the semicolons, although it is in quotes.
 */
export const zsh = String.raw`#compdef pixctl
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
