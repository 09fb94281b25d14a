const LEGAL = new Set(
  "inc llc ltd limited gmbh ag sa sas srl bv nv ab oy oyj as asa aps plc llp co corp corporation company kg se the".split(
    " "
  )
)

/** A company's name without its legal form and accents, as letters and digits alone. Empty: nothing is left of it. */
export const bareCompanyName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !LEGAL.has(word))
    .join("")
