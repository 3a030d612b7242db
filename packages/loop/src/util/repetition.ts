const tailLength = 2000;
const minCopies = 8;

/**
 * Does a text end with the same passage, at least 8 times in its last 2,000 characters? Only exact
 * copies count, so a list of similar items does not.
 */
export function endsInRepetition(text: string): boolean {
  const tail = text.slice(-tailLength);
  return tail.length === tailLength && periodOf(tail) * minCopies <= tailLength;
}

/**
 * The length of the shortest passage whose copies form the text (prefix function of Knuth, Morris
 * and Pratt).
 */
function periodOf(text: string): number {
  const borders = [0];
  let border = 0;
  for (let index = 1; index < text.length; index++) {
    while (border > 0 && text[index] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[index] === text[border]) border++;
    borders.push(border);
  }
  return text.length - border;
}
