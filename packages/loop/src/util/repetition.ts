const tailLength = 2000;
const minCopies = 8;
const longestPassage = tailLength / minCopies;

/**
 * Does a text end with the same passage, at least 8 times in its last 2,000 characters? Only exact
 * copies count, so a list of similar items does not.
 */
export function endsInRepetition(text: string): boolean {
  const tail = text.slice(-tailLength);
  if (tail.length < tailLength) return false;
  for (let length = 1; length <= longestPassage; length++)
    if (tail.startsWith(tail.slice(length))) return true;
  return false;
}
