import { callStoriesContract } from "../../src/contracts/service/callStories.js"
import { layerMemory } from "../../src/service/Service.js"

callStoriesContract("memory", layerMemory)
