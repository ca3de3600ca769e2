/**
 * Completion for bash, from 3.2 on.
 * @module
 */
import type { Offered } from "../command-table/arguments.ts";
import type { Completions } from "./places.ts";

/** The script that bash reads. */
export function bashCompletion({ places, values, textFlags }: Completions): string {
  return `# Completion of scim for bash. In ~/.bashrc: source <(scim completion bash)

_scim_words() {
  case "$1" in
${cases(places.map(({ path, words }) => [`"${path}"`, words.map(({ word }) => word).join(" ")]))}
  esac
}

_scim_flags() {
  case "$1" in
${cases(places.map(({ path, flags }) => [`"${path}"`, flags.map(({ word }) => word).join(" ")]))}
  esac
}

# Behind a place and a flag, or behind a place alone for its operands.
_scim_values() {
  case "$1" in
${cases([
  ...values.map(({ path, flag, offers }): readonly [string, string] => [
    path === null ? `*" ${flag}"` : `"${path} ${flag}"`,
    shown(offers),
  ]),
  ...places.map(({ path, operands }): readonly [string, string] => [
    `"${path}"`,
    operands === null ? "" : shown(operands),
  ]),
])}
  esac
}

_scim_takes_text() {
  case " ${textFlags.join(" ")} " in *" $1 "*) return 0 ;; *) return 1 ;; esac
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
    COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "\${offered// /$'\\n'}" -- "$current"))
  # bash puts in what stands behind the last colon alone.
  if [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
    local before="\${current%:*}:"
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]="\${COMPREPLY[i]#"$before"}"; done
  fi
}

complete -F _scim scim
`;
}

/** Words, or a mark that stands for the file system. */
function shown(offers: Offered): string {
  return offers === "file" ? "@file" : offers.join(" ");
}

/** Branches of a `case`; those that offer nothing are left out. */
function cases(rows: readonly (readonly [string, string])[]): string {
  return rows
    .filter(([, offered]) => offered !== "")
    .map(([pattern, offered]) => `    ${pattern}) echo "${offered}" ;;`)
    .join("\n");
}
