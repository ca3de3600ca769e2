/**
 * Completion for zsh.
 * @module
 */
import type { Completions, OfferedWord } from "./places.ts";
import type { Offered } from "../command-table/arguments.ts";

/** The script that zsh reads. */
export function zshCompletion({ places, values, textFlags }: Completions): string {
  return `#compdef scim
# Completion of scim for zsh. In ~/.zshrc, behind compinit: source <(scim completion zsh)

_scim_words() {
  case "$1" in
${cases(places.map(({ path, words }) => [`"${path}"`, described(words)]))}
  esac
}

_scim_flags() {
  case "$1" in
${cases(places.map(({ path, flags }) => [`"${path}"`, described(flags)]))}
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

_scim() {
  local place="" flag="" word
  local -a text_flags offered
  text_flags=(${textFlags.join(" ")})
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

/** Words as `_describe` takes them; a colon ends the word, so its own are marked. */
function described(words: readonly OfferedWord[]): string {
  return words.map(({ word, does }) => quoted(`${marked(word)}:${does}`)).join(" ");
}

function shown(offers: Offered): string {
  return offers === "file" ? quoted("@file") : offers.map((word) => quoted(marked(word))).join(" ");
}

function marked(word: string): string {
  return word.replaceAll(":", String.raw`\:`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function cases(rows: readonly (readonly [string, string])[]): string {
  return rows
    .filter(([, offered]) => offered !== "")
    .map(([pattern, offered]) => `    ${pattern}) offered=(${offered}) ;;`)
    .join("\n");
}
