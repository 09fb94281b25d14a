/** Campaigns whose answers come as chance has it, looked at after each. */

/** Numbers in [0, 1) that repeat for the same seed (xorshift). */
const randomFrom = (seed: number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

const RUNS = 10_000

/** The share of campaigns for which `winnerOf` names a winner, and the right one. `rates`: of answers, by variant. */
export const winners = (
  winnerOf: (answers: ReadonlyArray<number>) => number | null,
  rates: ReadonlyArray<number>,
  answersMax: number,
  runs = RUNS
) => {
  const total = rates.reduce((sum, rate) => sum + rate, 0)
  let [named, right] = [0, 0]
  const best = rates.indexOf(Math.max(...rates))
  for (let run = 1; run <= runs; run += 1) {
    const random = randomFrom(run)
    for (let warm = 0; warm < 20; warm += 1) random()
    const answers = rates.map(() => 0)
    for (let answer = 0; answer < answersMax; answer += 1) {
      // Each variant went to the same share of the people, so an answer is to it in proportion to its rate.
      let at = random() * total
      const variant = rates.findIndex((rate) => (at -= rate) < 0)
      answers[Math.max(0, variant)]! += 1
      const winner = winnerOf(answers)
      if (winner === null) continue
      named += 1
      if (winner === best) right += 1
      break
    }
  }
  return { named: named / runs, right: right / runs }
}
