/**
 * Reads lines of a shell, as far as documentation uses them: quotes, comments, lines that go on, files, pipes and lists.
 * @module
 */

/** Commands of a text, each as its words; assignments before a command are left out. */
export function commandsOf(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  const end = (): void => {
    const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    if (first !== -1) commands.push(words.slice(first));
    words = [];
  };
  for (const [token] of text.replaceAll("\\\n", " ").matchAll(TOKEN)) {
    if (/^(?:\n|;|&&|\|\|?|<\(|\))$/.test(token)) end();
    else if (!/^[\s#<>]/.test(token)) words.push(unquoted(token));
  }
  end();
  return commands;
}

/** A comment, what ends a command, where it reads or writes, a word with whatever is quoted in it, or space. */
const TOKEN =
  /(?<=^|\s)#[^\n]*|\n|;|&&|\|\|?|<\(|\)|[<>]+ *[^\s;|&)]+|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'";|&\\<>)])+|\s/g;

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_all, single: string | undefined, double: string | undefined, escaped: string | undefined) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? escaped ?? "",
  );
}
