/** So many characters at the end of a text are looked at, and so often they must hold one passage. */
const looked = 2000;
const copies = 8;

/** Does a text end in one passage, over and over? Exact copies only: a list whose items look alike is no repetition. */
export function endsInRepetition(text: string): boolean {
  const tail = text.slice(-looked);
  return tail.length === looked && period(tail) * copies <= looked;
}

/** The shortest passage of which a text is made, by how far its beginning comes back at its end (Knuth, Morris, Pratt). */
function period(text: string): number {
  const borders = [0];
  let border = 0;
  for (let at = 1; at < text.length; at++) {
    while (border > 0 && text[at] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[at] === text[border]) border++;
    borders.push(border);
  }
  return text.length - border;
}
