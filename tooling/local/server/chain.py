"""What the models of the tests write. The next piece of text depends on the last one only."""

START = "\n"  # a prompt ends with a line end
BEGINNING = [
    "<tool", "_call", ">\n", '{"na', 'me":', ' "wri', 'te"', ', "ar', "gume", 'nts":', ' {"',
    "path", '": ', '"no', "tes", ".txt", '", "te', 'xt": ', '"On',
]
WORDS = [" sea", " sky", " sand", " salt", " ship", " shore"]
END = ['"}', "}\n", "</too", "l_ca", "ll>"]

Chain = dict[str, list[str]]


def line(pieces: list[str]) -> Chain:
    """Each piece has one follower. The last one has none: the reply ends."""
    return {piece: pieces[index + 1 : index + 2] for index, piece in enumerate(pieces)}


def one_call(start: list[str] = [START]) -> Chain:
    """`write` with a fixed path, and a text of random words."""
    chain = line([*start, *BEGINNING])
    chain[BEGINNING[-1]] = WORDS
    for word in WORDS:
        chain[word] = [other for other in [*WORDS, END[0]] if other != word]
    return {**chain, **line(END)}


def two_calls() -> Chain:
    """Two calls, always the same. The second one has longer pieces, so no piece comes twice."""
    rest = ["\n", *BEGINNING, " shore", *END]
    pairs = [first + second for first, second in zip(rest[::2], rest[1::2])]
    return line([START, *BEGINNING, " sea", " sky", *END, *pairs])


def tagged_call(prefix: str = "") -> Chain:
    """One call in the format of GLM, whose values are between tags. Its text begins with `On!`.

    LongCat has the same format, with longer names of the tags.
    """
    return line([
        START, f"<{prefix}tool_call>", "write", f"\n<{prefix}arg_key>", "path",
        f"</{prefix}arg_key>\n", f"<{prefix}arg_value>", "notes", ".txt",
        f"</{prefix}arg_value>\n<{prefix}arg", "_key>", "text", f"</{prefix}arg_key>\n<{prefix}",
        "arg_value>", "On", "!", " sea", " sky", f"</{prefix}arg", "_value>\n",
        f"</{prefix}tool_call>",
    ])


def thinking() -> Chain:
    """Thoughts between tags, then one call. After a space: the call without thoughts."""
    chain = one_call([START, "<think>", "I", " should", " write", ".", "</think>"])
    return {**chain, " ": BEGINNING[:1]}
