import { recipientWordsContract } from "../../src/contracts/service/recipientWords.js"
import { quietMemory } from "../../src/service/Service.js"

recipientWordsContract("memory", quietMemory)
