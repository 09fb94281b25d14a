import { chatContract } from "../../src/contracts/service/chat.js"
import { chatStreamsContract } from "../../src/contracts/service/chatStreams.js"
import { layerMemory } from "../../src/service/Service.js"

chatContract("memory", layerMemory)
chatStreamsContract("memory", layerMemory)
