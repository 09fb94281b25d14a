/** What was looked at, what was found, and how to mend it. */
export interface Finding {
  readonly about: string
  /** `warning`: it works, but something will go wrong or is missing. `skipped`: something else has to work first. */
  readonly state: "good" | "warning" | "bad" | "skipped"
  readonly found: string
  /** What to do; null if there is nothing to do. */
  readonly mend: string | null
}

export const good = (about: string, found: string): Finding => ({ about, state: "good", found, mend: null })

export const warning = (about: string, found: string, mend: string): Finding => ({
  about,
  state: "warning",
  found,
  mend
})

export const bad = (about: string, found: string, mend: string): Finding => ({ about, state: "bad", found, mend })

export const skipped = (about: string, found: string): Finding => ({ about, state: "skipped", found, mend: null })
