const LETTERS: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", ø: "o", đ: "d", ł: "l", œ: "oe", þ: "th", ı: "i" }

/** For comparing: lower case, without accents, white space collapsed. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæøđłœþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, " ")
    .trim()

/** What is left of a folded text in an address or a slug: ASCII letters and digits. */
export const plain = (text: string): string => fold(text).replace(/[^a-z0-9]/g, "")
