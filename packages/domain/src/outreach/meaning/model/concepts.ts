import type { Language } from "../languages.js"
import type { Lexicon } from "./conceptNames.js"
import { cs } from "./lexicon/cs.js"
import { de } from "./lexicon/de.js"
import { en } from "./lexicon/en.js"
import { es } from "./lexicon/es.js"
import { fi } from "./lexicon/fi.js"
import { fr } from "./lexicon/fr.js"
import { it } from "./lexicon/it.js"
import { nl } from "./lexicon/nl.js"
import { nordic } from "./lexicon/nordic.js"
import { pl } from "./lexicon/pl.js"
import { pt } from "./lexicon/pt.js"

/**
 * What words do in a request to stop, by language: a word, or how words begin (`*`), against folded text. A word may do
 * several things. In no language is it a request by itself: the model learns which of them stand together, and in which
 * order, and so what it learns in one language it knows in the others.
 */
export const CONCEPTS: Readonly<Partial<Record<Language, Lexicon>>> = { en, de, fr, es, it, nl, pt, pl, nordic, fi, cs }
