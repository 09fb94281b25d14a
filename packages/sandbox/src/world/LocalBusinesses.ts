import { countryCodeOf } from "./CountryCodes.js"
import { hash, share } from "./Hash.js"
import { NAME_POOLS } from "./Names.js"
import { COUNTRIES } from "./Places.js"
import { fold, plain } from "./Text.js"
import type { World } from "./World.js"

/** A kind of business that people look for around the corner. */
export interface Category {
  readonly name: string
  /** What a business of this kind calls itself, after a family name. */
  readonly noun: string
  /** Other words for it. */
  readonly aliases: ReadonlyArray<string>
  readonly industry: string
}

const category = (name: string, noun: string, industry: string, aliases: string): Category => ({
  name,
  noun,
  industry,
  aliases: aliases.split(", ")
})

export const CATEGORIES: ReadonlyArray<Category> = [
  category("Dentists", "Dental", "Medical Practices", "dental clinics, dental practices, orthodontists"),
  category("Doctors", "Medical Centre", "Medical Practices", "physicians, general practitioners, medical practices"),
  category("Veterinarians", "Veterinary Clinic", "Veterinary Services", "vets, animal clinics"),
  category("Physiotherapists", "Physio", "Wellness and Fitness Services", "physiotherapy, physical therapists"),
  category("Restaurants", "Restaurant", "Restaurants", "bistros, diners, eateries"),
  category("Cafés", "Coffee", "Restaurants", "coffee shops, cafes, coffeehouses"),
  category("Bakeries", "Bakery", "Food and Beverage Retail", "bakers, patisseries"),
  category("Hotels", "Hotel", "Hospitality", "guesthouses, inns"),
  category("Gyms", "Fitness", "Wellness and Fitness Services", "fitness studios, fitness centers, health clubs"),
  category("Hair salons", "Hair", "Consumer Services", "hairdressers, barbers, barbershops"),
  category("Plumbers", "Plumbing", "Construction", "plumbing, heating installers"),
  category("Electricians", "Electric", "Construction", "electrical contractors"),
  category("Roofers", "Roofing", "Construction", "roofing contractors"),
  category("Painters", "Painting", "Construction", "decorators, house painters"),
  category("Landscapers", "Gardens", "Consumer Services", "gardeners, landscaping"),
  category("Cleaning services", "Cleaning", "Consumer Services", "cleaners, janitorial services"),
  category("Car repair shops", "Garage", "Consumer Services", "auto repair, car mechanics, garages"),
  category("Car dealers", "Motors", "Retail", "car dealerships, auto dealers"),
  category("Law firms", "Law", "Legal Services", "lawyers, attorneys, solicitors"),
  category("Accountants", "Accounting", "Accounting", "tax advisers, bookkeepers, accounting firms"),
  category("Insurance agencies", "Insurance", "Insurance", "insurance brokers, insurance agents"),
  category("Estate agents", "Homes", "Real Estate", "real estate agents, realtors, real estate agencies"),
  category("Marketing agencies", "Media", "Advertising Services", "advertising agencies, web design agencies"),
  category("Photographers", "Photo", "Design Services", "photo studios"),
  category("Florists", "Flowers", "Retail", "flower shops"),
  category("Bookshops", "Books", "Retail", "bookstores, book stores"),
  category("Furniture shops", "Furniture", "Retail", "furniture stores"),
  category("Language schools", "Languages", "E-Learning Providers", "language courses"),
  category("Driving schools", "Driving School", "Consumer Services", "driving lessons"),
  category("Movers", "Removals", "Transportation, Logistics, Supply Chain and Storage", "moving companies, removals")
]

export interface LocalBusiness {
  readonly name: string
  readonly domain: string
  readonly category: Category
  /** An index into the world's cities. */
  readonly city: number
  /** Null: nobody knows. */
  readonly headcount: number | null
  readonly foundedYear: number
  readonly rating: number
  readonly reviews: number
  /** Stable: one per business. */
  readonly key: number
}

/** The most businesses of one kind in a city. */
const IN_CITY_MAX = 6

const What = { count: 0xc1, name: 0xc2, headcount: 0xc3, founded: 0xc4, known: 0xc5, reviews: 0xc6 } as const

const HEADCOUNT_UNKNOWN_SHARE = 0.1

/** The businesses of one kind in one city: between two and `IN_CITY_MAX`, always the same. */
export const businessesIn = (world: World, city: number, category: number): ReadonlyArray<LocalBusiness> => {
  const kind = CATEGORIES[category]
  const place = world.cities[city]
  if (kind === undefined || place === undefined) return []
  const base = (city * CATEGORIES.length + category) * IN_CITY_MAX
  const pool = NAME_POOLS[COUNTRIES.find(({ name }) => name === place.country)?.pool ?? "english"].last
  const first = hash(world.seed, What.name, base)
  const code = countryCodeOf(place.country)?.toLowerCase() ?? "xx"
  return Array.from({ length: 2 + (hash(world.seed, What.count, base) % (IN_CITY_MAX - 1)) }, (_, nth) => {
    const key = base + nth
    // Neighbours in the list of names, so that no two in a city are called the same.
    const owner = pool[(first + nth) % pool.length] ?? ""
    const drawn = share(hash(world.seed, What.headcount, key))
    const known = share(hash(world.seed, What.known, key)) >= HEADCOUNT_UNKNOWN_SHARE
    return {
      name: `${owner} ${kind.noun}`,
      domain: `${plain(owner)}-${plain(kind.noun)}-${plain(place.name)}-${code}.test`,
      category: kind,
      city,
      headcount: known ? Math.floor(2 * 30 ** drawn) : null,
      foundedYear: 2024 - (hash(world.seed, What.founded, key) % 60),
      rating: 3 + (hash(world.seed, What.reviews, key) % 21) / 10,
      reviews: 5 + (hash(world.seed, What.reviews, key) % 640),
      key
    }
  })
}

/** Words without their plural, so that "dentist" is "Dentists". */
const bare = (text: string): string =>
  fold(text)
    .split(" ")
    .map((word) => word.replace(/ies$/, "y").replace(/s$/, ""))
    .join(" ")

/** The kinds that a phrase names. A phrase that names none finds nothing. */
export const categoriesNamed = (phrase: string): ReadonlyArray<number> => {
  const wanted = bare(phrase)
  return CATEGORIES.flatMap(({ aliases, name }, index) =>
    [name, ...aliases].some((own) => bare(own) === wanted) ? [index] : []
  )
}
