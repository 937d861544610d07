/** What Git Bash on Windows makes of a word that begins with a slash: a file, below the directory of its own. */

/** What to do about `text`, if it can be one; undefined for any other. */
export const rewrittenPath = (text: string): string | undefined =>
  /^[a-z]:[\\/]/i.test(text)
    ? 'Git Bash turns a word that begins with a slash into the path of a file, unless MSYS_NO_PATHCONV=1 is set.'
    : undefined;
