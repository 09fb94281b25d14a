import { Context } from "effect"

/** Days without work, by the calendars of countries. A library's data: nothing is asked of anybody. */
export class PublicHolidays extends Context.Service<
  PublicHolidays,
  {
    /**
     * The nationwide public holidays of a country (an alpha-2 code) in a year: local days, by their number since
     * 1970-01-01, with their names. Empty for a country that is not known.
     */
    readonly of: (country: string, year: number) => ReadonlyMap<number, string>
  }
>()("@outbound/domain/kernel/ports/PublicHolidays") {}
