import { repliesContract } from "../../src/contracts/service/replies.js"
import { layerMemory } from "../../src/service/Service.js"

repliesContract("memory", layerMemory)
