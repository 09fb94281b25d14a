import { learnedIdsStories } from "../../src/contracts/service/learnedIds.js"
import * as PostOffice from "../../src/mail/PostOffice.js"
import { quietMemory } from "../../src/service/Service.js"

learnedIdsStories("memory", quietMemory, PostOffice.layer)
