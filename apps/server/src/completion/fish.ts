/**
 * Completion for fish.
 * @module
 */
import { branchesOf, type ShellForm } from "./branches.ts";
import type { Completions } from "./places.ts";

const FORM: ShellForm = {
  exact: quoted,
  anywhere: (flag) => `'* ${flag}'`,
  // A line for each word, with its description behind a tab.
  words: (words) => words.map(({ word, does }) => quoted(`${word}\t${does}`)).join(" "),
  values: (offered) => (offered === "file" ? "@file" : offered.map(quoted).join(" ")),
  branch: (pattern, offered) => `        case ${pattern}\n            printf "%s\\n" ${offered}`,
};

/** The script that fish reads. */
export function fishCompletion(completions: Completions): string {
  const { words, flags, values } = branchesOf(completions, FORM);
  const textFlags = completions.textFlags.join(" ");
  return `# Completion of scim for fish: scim completion fish > ~/.config/fish/completions/scim.fish

function __scim_words
    switch "$argv[1]"
${words}
    end
end

function __scim_flags
    switch "$argv[1]"
${flags}
    end
end

# Behind a place and a flag, or behind a place alone for its operands.
function __scim_values
    switch "$argv[1]"
${values}
    end
end

function __scim_complete
    set -l text_flags ${textFlags}
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l place ""
    set -l flag ""
    for word in $typed[2..-1]
        if test -n "$flag"
            set flag ""
        else if string match -q -- "--*" $word
            contains -- $word $text_flags; and set flag $word
        else if contains -- $word (__scim_words "$place" | string split -f 1 \\t)
            set place (string trim -- "$place $word")
        end
    end
    set -l before ""
    if test -z "$flag"; and string match -q -- "--*=*" $current
        set flag (string split -m 1 = -- $current)[1]
        set before "$flag="
    end
    if test -n "$flag"
        set -l offered (__scim_values "$place $flag")
        if test "$offered" = @file
            __fish_complete_path (string replace -- "$before" "" $current) | string replace -r -- "^" "$before"
        else if test (count $offered) -gt 0
            printf "$before%s\\n" $offered
        end
        return
    end
    if string match -q -- "-*" $current
        __scim_flags "$place"
        return
    end
    set -l offered (__scim_words "$place")
    test (count $offered) -eq 0; and set offered (__scim_values "$place")
    test (count $offered) -eq 0; and set offered (__scim_flags "$place")
    if test "$offered" = @file
        __fish_complete_path $current
    else if test (count $offered) -gt 0
        printf "%s\\n" $offered
    end
end

complete -c scim -f -a "(__scim_complete)"
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}
