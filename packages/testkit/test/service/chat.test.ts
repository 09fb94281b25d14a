import { chatContract } from "../../src/contracts/service/chat.js"
import { chatStreamsContract } from "../../src/contracts/service/chatStreams.js"
import { quietMemory } from "../../src/service/Service.js"

chatContract("memory", quietMemory)
chatStreamsContract("memory", quietMemory)
