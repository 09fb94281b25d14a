import { getRepliesContract } from "../../src/contracts/service/getReplies.js"
import { repliesContract } from "../../src/contracts/service/replies.js"
import { quietMemory } from "../../src/service/Service.js"

repliesContract("memory", quietMemory)
getRepliesContract("memory", quietMemory)
