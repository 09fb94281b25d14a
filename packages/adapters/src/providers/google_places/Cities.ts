import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { countryNamed } from "@outbound/domain/kernel/people/Countries.js"
import type { InterpretedPlace } from "@outbound/domain/sources/ports/LeadSource.js"

const partsOf = (location: string): ReadonlyArray<string> => location.split(",").map((part) => part.trim())

/**
 * What the vendor took places for. It answers in English: whoever asks for "München" is answered from Munich. Where not
 * one place is in a city of the name that was asked for, the city that most of them are in is what was meant.
 */
export class Cities {
  readonly #counts = new Map<string, Map<string, number>>()

  /** A place in that city was found for the location. */
  found(location: string, city: string | null): void {
    if (city === null) return
    const counts = this.#counts.get(location) ?? new Map<string, number>()
    this.#counts.set(location, counts.set(city, (counts.get(city) ?? 0) + 1))
  }

  /** Those that were not taken literally. */
  understood(): ReadonlyArray<InterpretedPlace> {
    return [...this.#counts].flatMap(([requested, counts]) => {
      const [name = "", ...around] = partsOf(requested)
      if ([...counts.keys()].some((city) => fold(city) === fold(name))) return []
      const [most] = [...counts].sort(([, a], [, b]) => b - a)
      if (most === undefined) return []
      return [{ requested, region: countryNamed(around.at(-1) ?? "")?.name ?? name, cities: [most[0]] }]
    })
  }
}
