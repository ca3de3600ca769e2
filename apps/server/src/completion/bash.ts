/**
 * Completion for bash, from 3.2 on.
 * @module
 */
import type { ShellForm } from "./branches.ts";
import type { Completions } from "./places.ts";
import { posixFunctions } from "./posix-functions.ts";

const FORM: ShellForm = {
  exact: (text) => `"${text}"`,
  anywhere: (flag) => `*" ${flag}"`,
  words: (words) => words.map(({ word }) => word).join(" "),
  values: (offered) => (offered === "file" ? "@file" : offered.join(" ")),
  branch: (pattern, offered) => `    ${pattern}) echo "${offered}" ;;`,
};

/** The script that bash reads. */
export function bashCompletion(completions: Completions): string {
  const textFlags = completions.textFlags.join(" ");
  return `# Completion of scim for bash. In ~/.bashrc: source <(scim completion bash)

${posixFunctions(completions, FORM)}

_scim_takes_text() {
  case " ${textFlags} " in *" $1 "*) return 0 ;; *) return 1 ;; esac
}

_scim() {
  # Not COMP_WORDS: bash cuts words at = and at : there.
  local line="\${COMP_LINE:0:COMP_POINT}" current place="" flag="" offered word i
  local words
  read -ra words <<< "$line"
  case "$line" in *[[:space:]]) words[\${#words[@]}]="" ;; esac
  current="\${words[\${#words[@]} - 1]}"
  for ((i = 1; i < \${#words[@]} - 1; i++)); do
    word="\${words[i]}"
    if [[ -n "$flag" ]]; then flag=""
    elif [[ "$word" == --* ]]; then _scim_takes_text "$word" && flag="$word"
    elif [[ " $(_scim_words "$place") " == *" $word "* ]]; then place="\${place:+$place }$word"
    fi
  done
  if [[ -z "$flag" && "$current" == --*=* ]]; then
    flag="\${current%%=*}"
    current="\${current#*=}"
  fi
  if [[ -n "$flag" ]]; then offered="$(_scim_values "$place $flag")"
  elif [[ "$current" == -* ]]; then offered="$(_scim_flags "$place")"
  else
    offered="$(_scim_words "$place")"
    [[ -z "$offered" ]] && offered="$(_scim_values "$place")"
    [[ -z "$offered" ]] && offered="$(_scim_flags "$place")"
  fi
  local IFS=$'\\n'
  if [[ "$offered" == "@file" ]]; then
    compopt -o filenames 2> /dev/null
    # As bash has the word: with a blank in quotes, and without what stands before =.
    COMPREPLY=($(compgen -f -- "$2"))
    return
  fi
  COMPREPLY=($(compgen -W "\${offered// /$'\\n'}" -- "$current"))
  # As far as it cuts words there, bash puts in what stands behind the last :, or the last @ and what stands behind it.
  local before="\${current%[:@]*}"
  local cut="\${current:\${#before}:1}"
  if [[ -n "$cut" && "$COMP_WORDBREAKS" == *"$cut"* ]]; then
    [[ "$cut" == "@" ]] || before="$before$cut"
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]="\${COMPREPLY[i]#"$before"}"; done
  fi
}

complete -F _scim scim
`;
}
