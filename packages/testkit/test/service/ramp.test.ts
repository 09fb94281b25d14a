import { rampStories } from "../../src/contracts/service/rampStories.js"
import { quietMemory } from "../../src/service/Service.js"

rampStories("memory", quietMemory)
