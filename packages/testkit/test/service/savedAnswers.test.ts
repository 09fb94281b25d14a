import { savedAnswersContract } from "../../src/contracts/service/savedAnswers.js"
import { quietMemory } from "../../src/service/Service.js"

savedAnswersContract("memory", quietMemory)
