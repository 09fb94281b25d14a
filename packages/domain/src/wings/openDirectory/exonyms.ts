import { foldPlace } from "../../data/directory/Places.js"

/** Cities whose English name is another than the one that addresses there have: English, then theirs. */
const NAMES: ReadonlyArray<readonly [english: string, ...own: ReadonlyArray<string>]> = [
  ["Munich", "München"],
  ["Cologne", "Köln"],
  ["Nuremberg", "Nürnberg"],
  ["Hanover", "Hannover"],
  ["Brunswick", "Braunschweig"],
  ["Vienna", "Wien"],
  ["Zurich", "Zürich"],
  ["Geneva", "Genève"],
  ["Lucerne", "Luzern"],
  ["Basle", "Basel"],
  ["Rome", "Roma"],
  ["Milan", "Milano"],
  ["Turin", "Torino"],
  ["Naples", "Napoli"],
  ["Florence", "Firenze"],
  ["Venice", "Venezia"],
  ["Genoa", "Genova"],
  ["Padua", "Padova"],
  ["Seville", "Sevilla"],
  ["Saragossa", "Zaragoza"],
  ["Lisbon", "Lisboa"],
  ["Marseilles", "Marseille"],
  ["Lyons", "Lyon"],
  ["Brussels", "Bruxelles", "Brussel"],
  ["Antwerp", "Antwerpen"],
  ["Ghent", "Gent"],
  ["Bruges", "Brugge"],
  ["The Hague", "Den Haag", "'s-Gravenhage"],
  ["Copenhagen", "København"],
  ["Elsinore", "Helsingør"],
  ["Gothenburg", "Göteborg"],
  ["Warsaw", "Warszawa"],
  ["Cracow", "Kraków"],
  ["Prague", "Praha"],
  ["Pilsen", "Plzeň"],
  ["Athens", "Athina", "Αθήνα"],
  ["Bucharest", "București"],
  ["Belgrade", "Beograd"],
  ["Moscow", "Москва"],
  ["Kyiv", "Київ"],
  ["Tokyo", "東京都"],
  ["Beijing", "北京市"],
  ["Cairo", "القاهرة"]
]

const OTHERS: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  NAMES.flatMap((names) => {
    const keys = names.map(foldPlace)
    return keys.map((key) => [key, keys.filter((other) => other !== key)] as const)
  })
)

/** The other keys under which a city's addresses may stand. */
export const otherNamesOf = (cityKey: string): ReadonlyArray<string> => OTHERS.get(cityKey) ?? []
