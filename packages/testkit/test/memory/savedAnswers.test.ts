import { savedAnswersContract } from "../../src/contracts/savedAnswers.js"
import { layer } from "../../src/memory/layer.js"

savedAnswersContract("memory", layer)
