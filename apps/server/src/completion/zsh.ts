/**
 * Completion for zsh.
 * @module
 */
import type { ShellForm } from "./branches.ts";
import type { Completions } from "./places.ts";
import { posixFunctions } from "./posix-functions.ts";

const FORM: ShellForm = {
  exact: (text) => `"${text}"`,
  anywhere: (flag) => `*" ${flag}"`,
  // `_describe` ends the word at a colon, so its own are marked.
  words: (words) => words.map(({ word, does }) => quoted(`${marked(word)}:${does}`)).join(" "),
  values: (offered) =>
    offered === "file" ? quoted("@file") : offered.map((word) => quoted(marked(word))).join(" "),
  branch: (pattern, offered) => `    ${pattern}) offered=(${offered}) ;;`,
};

/** The script that zsh reads. */
export function zshCompletion(completions: Completions): string {
  const textFlags = completions.textFlags.join(" ");
  return `#compdef scim
# Completion of scim for zsh. In ~/.zshrc, behind compinit: source <(scim completion zsh)

${posixFunctions(completions, FORM)}

_scim() {
  local place="" flag="" word
  local -a text_flags offered
  text_flags=(${textFlags})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$flag" ]]; then flag=""
    elif [[ "$word" == --* ]]; then (( \${text_flags[(Ie)$word]} )) && flag="$word"
    else
      _scim_words "$place"
      (( \${offered[(I)\${(b)word}:*]} )) && place="\${place:+$place }$word"
    fi
    offered=()
  done
  if [[ -z "$flag" && "$PREFIX" == --*=* ]]; then
    flag="\${PREFIX%%=*}"
    compset -P '*='
  fi
  if [[ -n "$flag" ]]; then _scim_values "$place $flag"
  elif [[ "$PREFIX" == -* ]]; then _scim_flags "$place"
  else
    _scim_words "$place"
    (( $#offered )) || _scim_values "$place"
    (( $#offered )) || _scim_flags "$place"
  fi
  if [[ "$offered" == "@file" ]]; then _files
  elif (( $#offered )); then _describe scim offered
  fi
}

compdef _scim scim
`;
}

function marked(word: string): string {
  return word.replaceAll(":", String.raw`\:`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
