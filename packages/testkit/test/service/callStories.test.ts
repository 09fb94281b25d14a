import { callStoriesContract } from "../../src/contracts/service/callStories.js"
import { quietMemory } from "../../src/service/Service.js"

callStoriesContract("memory", quietMemory)
