/** A bench of `npm run bench`. */
export interface Bench {
  readonly what: string
  /** Under this folder's parent. */
  readonly script: string
  readonly minutesMax: number
}

/** The benches of every wing, a line each. */
export const WING_BENCHES: Readonly<Record<string, Bench>> = {
  published: {
    what: "a million published places, beside COPY, and searches",
    script: "wings/openDirectory/openDirectory.js",
    minutesMax: 30
  }
}
