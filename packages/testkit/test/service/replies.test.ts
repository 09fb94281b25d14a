import { getRepliesContract } from "../../src/contracts/service/getReplies.js"
import { repliesContract } from "../../src/contracts/service/replies.js"
import { layerMemory } from "../../src/service/Service.js"

repliesContract("memory", layerMemory)
getRepliesContract("memory", layerMemory)
